import { expect, test } from 'vitest';
import { z } from 'zod';
import { Channel } from '#server/generated/prisma/enums.ts';
import type { FlowContent } from '#server/inbox/flows/flow.ts';
import { readFlow, replaceTag, storedFlow, tagKeysOf } from '#server/inbox/flows/stored-flow.ts';

const CONDITION = { channels: [], words: ['x'], emailDomain: null, statuses: [], tags: [] };
const ACTIONS = { tags: ['a'], assigneeId: null, teamId: null, status: null, priority: null };
const ON_START: FlowContent = {
  trigger: { kind: 'conversation_started' },
  condition: CONDITION,
  actions: ACTIONS,
};
const ON_TAG: FlowContent = {
  trigger: { kind: 'tagged', tags: ['VIP'] },
  condition: { ...CONDITION, tags: ['vip', 'Other'], statuses: ['open'] },
  actions: { ...ACTIONS, tags: ['Vip', 'Gold'] },
};

/** The schema of conditions in the release before triggers. */
const EARLIER = z.object({
  channels: z.array(z.enum(Channel)),
  words: z.array(z.string()),
  emailDomain: z.string().nullable(),
});

test('a flow is read as it was stored, also one from before triggers', () => {
  expect(readFlow(storedFlow(ON_START))).toEqual(ON_START);
  expect(readFlow(storedFlow(ON_TAG))).toEqual(ON_TAG);
  const { priority: _, ...actions } = ACTIONS;
  expect(readFlow({ condition: { channels: [], words: ['x'], emailDomain: null }, actions })).toEqual(
    ON_START,
  );
  expect(readFlow({ condition: { channels: 'broken' }, actions })).toBeUndefined();
});

test('the release before triggers skips a flow with another trigger instead of running it on new conversations', () => {
  expect(EARLIER.safeParse(storedFlow(ON_START).condition).success).toBe(true);
  expect(EARLIER.safeParse(storedFlow(ON_TAG).condition).success).toBe(false);
});

test('a renamed tag is renamed in each part, and merged with one that is there', () => {
  expect(tagKeysOf(ON_TAG)).toEqual(['vip', 'vip', 'other', 'vip', 'gold']);
  expect(replaceTag(ON_TAG, 'vip', { key: 'gold', name: 'gold' })).toEqual({
    trigger: { kind: 'tagged', tags: ['gold'] },
    condition: { ...ON_TAG.condition, tags: ['gold', 'Other'] },
    actions: { ...ON_TAG.actions, tags: ['Gold'] },
  });
});
