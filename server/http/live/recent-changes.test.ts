import { expect, test } from 'vitest';
import { rememberChanges } from '#server/http/live/recent-changes.ts';

const at = { ms: 0 };
const remember = () => rememberChanges(() => at.ms);

test('the last change of each topic of a workspace is remembered with its age', () => {
  at.ms = 1_000;
  const changes = remember();
  changes.listening();
  at.ms = 1_500;
  changes.changed('shop', 'conversations');
  at.ms = 2_000;
  changes.changed('shop', 'notifications');
  changes.changed('other', 'deliveries');
  at.ms = 2_250;
  changes.changed('shop', 'conversations');
  at.ms = 3_000;
  expect(changes.of('shop')).toEqual({
    completeMs: 2_000,
    changedMs: { conversations: 750, notifications: 1_000 },
  });
  expect(changes.of('quiet')).toEqual({ completeMs: 2_000, changedMs: {} });
});

test('nothing is known before the server listens, after it stopped, and from before it listened again', () => {
  at.ms = 0;
  const changes = remember();
  at.ms = 5_000;
  expect(changes.of('shop')).toEqual({ completeMs: 0, changedMs: {} });
  changes.listening();
  changes.changed('shop', 'conversations');
  changes.stopped();
  at.ms = 6_000;
  expect(changes.of('shop').completeMs).toBe(0);
  changes.listening();
  at.ms = 7_000;
  expect(changes.of('shop')).toEqual({ completeMs: 1_000, changedMs: {} });
});

test('with too many workspaces, the one that changed longest ago is forgotten, and with it what was before', () => {
  at.ms = 0;
  const changes = remember();
  changes.listening();
  at.ms = 10;
  changes.changed('first', 'conversations');
  changes.changed('second', 'conversations');
  at.ms = 20;
  changes.changed('first', 'channels');
  for (let n = 0; n < 9_999; n += 1) changes.changed(`workspace ${n}`, 'conversations');
  at.ms = 100;
  expect(changes.of('first')).toEqual({ completeMs: 90, changedMs: { conversations: 90, channels: 80 } });
  expect(changes.of('second')).toEqual({ completeMs: 90, changedMs: {} });
});
