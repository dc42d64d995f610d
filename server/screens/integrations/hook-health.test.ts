import { describe, expect, test } from 'vitest';
import { connectionHealth, type HookSigns, hookHealth } from '#server/screens/integrations/hook-health.ts';
import type { HookHealth } from '#server/screens/integrations/views.ts';

const health = (signs: Partial<HookSigns>) =>
  hookHealth({ consecutiveErrors: 0, failingSince: null, slowed: false, lastAttempt: 'delivered', ...signs });
const SINCE = new Date('2026-11-21T14:05:00Z');

describe('the health of a workflow', () => {
  test.each<[Partial<HookSigns>, HookHealth['kind']]>([
    [{ lastAttempt: null }, 'quiet'],
    [{}, 'normal'],
    [{ slowed: true }, 'slowed'],
    [{ lastAttempt: 'failed' }, 'retrying'],
    [{ lastAttempt: 'redirected' }, 'retrying'],
    [{ lastAttempt: 'throttled' }, 'retrying'],
    [{ lastAttempt: 'throttled', slowed: true }, 'slowed'],
    [{ lastAttempt: 'timed_out' }, 'unanswered'],
    [{ lastAttempt: 'unreachable', slowed: true }, 'unanswered'],
  ])('with %j is %s', (signs, kind) => {
    expect(health(signs)).toEqual({ kind });
  });

  test('that is failing has the start and the number of failures, whatever the other values', () => {
    const failing = health({ consecutiveErrors: 12, failingSince: SINCE, slowed: true });
    expect(failing).toEqual({ kind: 'failing', since: SINCE, errors: 12, errorsMax: 50 });
  });
});

describe('the health of a connection', () => {
  const failing = (since: Date): HookHealth => ({ kind: 'failing', since, errors: 1, errorsMax: 50 });
  test.each<[HookHealth[], ReturnType<typeof connectionHealth>]>([
    [[], { kind: 'idle' }],
    [[{ kind: 'quiet' }, { kind: 'quiet' }], { kind: 'quiet' }],
    [[{ kind: 'quiet' }, { kind: 'normal' }], { kind: 'normal' }],
    [[{ kind: 'slowed' }, { kind: 'normal' }], { kind: 'slowed', workflows: 1 }],
    [[{ kind: 'slowed' }, { kind: 'retrying' }, { kind: 'retrying' }], { kind: 'retrying', workflows: 2 }],
    [[{ kind: 'retrying' }, { kind: 'unanswered' }], { kind: 'unanswered', workflows: 1 }],
    [
      [{ kind: 'unanswered' }, failing(new Date(SINCE.getTime() + 1)), failing(SINCE)],
      { kind: 'failing', since: SINCE, workflows: 2 },
    ],
  ])('is that of its worst workflow: %j', (hooks, expected) => {
    expect(connectionHealth(hooks)).toEqual(expected);
  });
});
