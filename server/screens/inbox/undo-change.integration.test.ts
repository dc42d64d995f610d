import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { test } from '#test/fixtures/screens-test.ts';

describe('undo restores what a change replaced', () => {
  test('of status, assignee, team and priority', async ({ teammates, screensOf, conversation }) => {
    const { conversations } = await screensOf('agent');
    const change = (changes: Parameters<typeof conversations.update>[0]['changes']) =>
      conversations.update({ id: conversation, changes });
    await change({ status: 'pending' });
    const undo = await change({ status: 'solved', priority: 'high', assigneeId: null });
    expect(undo).toEqual({ status: 'pending', priority: 'normal', assigneeId: teammates.owner.id });
    await change(undo);
    expect(await db().conversation.findUniqueOrThrow({ where: { id: conversation } })).toMatchObject(undo);
  });

  test('of a snooze', async ({ screensOf, conversation: id }) => {
    const { conversations } = await screensOf('agent');
    const until = new Date(Date.now() + 86_400_000);
    expect(await conversations.snooze({ id, until })).toEqual({ status: 'open', snoozedUntil: null });
    const later = new Date(until.getTime() + 86_400_000);
    expect(await conversations.snooze({ id, until: later })).toEqual({
      status: 'pending',
      snoozedUntil: until,
    });
  });
});
