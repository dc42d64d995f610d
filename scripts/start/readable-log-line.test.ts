import { expect, it } from 'vitest';
import { readableLogLine } from '#scripts/start/readable-log-line.ts';

const show = (entry: object) => readableLogLine('worker', JSON.stringify(entry));

it('shows warnings and errors in one line', () => {
  expect(show({ level: 40, msg: 'delivery.paced' })).toBe('worker warning: delivery.paced');
  const err = { message: 'connection refused\n  at …' };
  expect(show({ level: 50, msg: 'delivery.failed', err })).toBe(
    'worker error: delivery.failed (connection refused)',
  );
  expect(show({ level: 40, msg: 'console.logged', message: 'careful' })).toBe(
    'worker warning: console.logged (careful)',
  );
});

it('shows nothing else', () => {
  expect(show({ level: 30, msg: 'delivery.attempted' })).toBeUndefined();
  expect(show({ event: 'platform.ready' })).toBeUndefined();
  expect(readableLogLine('worker', 'plain text')).toBeUndefined();
  expect(readableLogLine('worker', '{ broken')).toBeUndefined();
});
