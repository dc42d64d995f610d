import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { log } from '#server/core/log.ts';
import { logConsole } from '#server/core/log-console.ts';
import { until } from '#test/fixtures/until.ts';
import { setTestSettings } from '#test/servers/settings.ts';

setTestSettings({ LOG_LEVEL: 'debug' });

const lines: unknown[] = [];
/** A separate console, so that the tests keep theirs. */
const target = { ...globalThis.console };
let putBack: () => void;

beforeEach(() => {
  lines.length = 0;
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    vi.spyOn(log(), level).mockImplementation((fields: unknown, name?: unknown) => {
      lines.push([level, name, fields]);
    });
  }
  putBack = logConsole(target);
});
afterEach(() => putBack());

test('console output becomes a log line without colours and line breaks', () => {
  target.log(' \u001b[1m▲ Next.js\u001b[22m\n   - Local: %s', 'here');
  target.warn('\u001b[33m⚠\u001b[39m careful');
  expect(lines).toEqual([
    ['info', 'console.logged', { message: '▲ Next.js    - Local: here' }],
    ['warn', 'console.logged', { message: '⚠ careful' }],
  ]);
});

test('an error is described as elsewhere in the log, and blank lines are dropped', () => {
  const error = new TypeError('no such page');
  target.error('⨯', error);
  target.error(error);
  target.log('');
  target.log();
  expect(lines).toEqual([
    ['error', 'console.logged', { message: '⨯', err: error }],
    ['error', 'console.logged', { err: error }],
  ]);
});

test('a long line is cut', () => {
  target.info('x'.repeat(1_000_000));
  expect(lines).toEqual([['info', 'console.logged', { message: 'x'.repeat(2_000) }]]);
});

test('a warning of Node becomes a log line', async () => {
  process.emitWarning('this way is old', 'DeprecationWarning', 'DEP0000');
  await until('the warning is logged', () => lines.length > 0);
  expect(lines).toEqual([['warn', 'console.logged', { message: 'DeprecationWarning: this way is old' }]]);
});

test('the previous methods can be restored', () => {
  putBack();
  const own = { ...globalThis.console };
  expect(target.error).toBe(own.error);
});
