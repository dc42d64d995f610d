import { expect } from 'vitest';
import { mailUnseen } from '#server/administration/notifications/mail-unseen.ts';
import { purgeDeleted } from '#server/administration/workspaces/purge-deleted.ts';
import { removeOldTokens } from '#server/automation/oauth/remove-old-tokens.ts';
import { db } from '#server/core/database/prisma.ts';
import { assignWaiting } from '#server/inbox/conversations/assign-waiting.ts';
import { breachClocks } from '#server/inbox/conversations/breach-sla-clocks.ts';
import { closeSolved } from '#server/inbox/conversations/close-solved.ts';
import { endSnoozes } from '#server/inbox/conversations/end-snoozes.ts';
import { notifyOfNewConversations } from '#server/inbox/conversations/notify-of-new-conversations.ts';
import { runTimedFlows } from '#server/inbox/flows/run-timed-flows.ts';
import { storedFlow } from '#server/inbox/flows/stored-flow.ts';
import { BUSY } from '#test/database/large-installation.ts';
import { readingOf } from '#test/database/read-plan.ts';
import { test } from '#test/fixtures/large-workspace-test.ts';

test.for<[string, () => Promise<unknown>]>([
  ['closes solved conversations', () => closeSolved()],
  ['breaches SLA targets', () => breachClocks()],
  ['ends snoozes', () => endSnoozes()],
  ['removes deleted conversations', () => purgeDeleted()],
  ['emails unseen notifications', () => mailUnseen()],
  ['notifies of new conversations', notifyInBusyWorkspace],
  ['removes old tokens', () => removeOldTokens()],
])('the job that %s finds what is due by an index, however much is not', async ([_name, run]) => {
  const { scanned, rows } = await readingOf(run);
  expect(scanned.filter((table) => LARGE.has(table))).toEqual([]);
  expect(rows).toBeLessThan(100);
});

test('the job that assigns conversations counts the open ones of each member by an index, up to a maximum', async () => {
  const { id: workspaceId } = await db().workspace.findFirstOrThrow({ where: { name: BUSY } });
  const members = await db().member.findMany({
    where: { workspaceId, role: { not: 'viewer' } },
    select: { userId: true },
  });
  const team = await db().team.create({
    data: { workspaceId, name: 'Turns', assignment: 'least_busy', members: { create: members } },
  });
  const columns = { workspaceId, teamId: team.id, channel: 'email' as const };
  const { id: conversationId } = await db().conversation.create({ data: columns });
  await db().waitingAssignment.create({
    data: { conversationId, workspaceId, teamId: team.id, dueAt: new Date(0) },
  });
  const { scanned, rows } = await readingOf(() => assignWaiting(team.id));
  expect(await db().conversation.count({ where: { id: conversationId, assigneeId: { not: null } } })).toBe(1);
  expect(scanned.filter((table) => LARGE.has(table))).toEqual([]);
  expect(rows).toBeLessThan(1_100 * members.length + 100);
});

test.for([
  { kind: 'stayed', status: 'open', hours: 1 },
  { kind: 'team_silent', hours: 1 },
  { kind: 'contact_silent', hours: 1 },
] as const)(
  'the job that runs automations of time finds waits since the last one by an index: %j',
  async (trigger) => {
    const { id: workspaceId } = await db().workspace.findFirstOrThrow({ where: { name: BUSY } });
    const condition = { channels: [], words: [], emailDomain: null, statuses: [], tags: [] };
    const actions = { tags: ['late'], assigneeId: null, teamId: null, status: null, priority: null };
    const data = { workspaceId, name: 'Late', ...storedFlow({ trigger, condition, actions }) };
    const { id } = await db().flow.create({ data: { ...data, timedUntil: new Date() } });
    const { scanned, rows } = await readingOf(() => runTimedFlows());
    await db().flow.delete({ where: { id } });
    expect(scanned.filter((table) => LARGE.has(table))).toEqual([]);
    expect(rows).toBeLessThan(100);
  },
);

/** Notifies about new conversations of the workspace with the most open ones. */
async function notifyInBusyWorkspace(): Promise<void> {
  const { id } = await db().workspace.findFirstOrThrow({ where: { name: BUSY }, select: { id: true } });
  await notifyOfNewConversations(id);
}

const LARGE = new Set([
  'conversations',
  'sla_clocks',
  'notifications',
  'access_tokens',
  'connections',
  'messages',
  'contacts',
]);
