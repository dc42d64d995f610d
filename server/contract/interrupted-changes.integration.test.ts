import fc from 'fast-check';
import { expect } from 'vitest';
import { createContact } from '#server/contacts/create-contact.ts';
import type { EventKey } from '#server/contract/event-catalogue.ts';
import { planAndWrite } from '#server/core/database/planned.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { runCommand } from '#server/inbox/commands/run-command.ts';
import { addTags } from '#server/inbox/conversations/tags.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { createConversation } from '#server/inbox/messages/create-conversation.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { rateConversation } from '#server/inbox/ratings/rate-conversation.ts';
import { eventsToFanOut } from '#test/database/recorded-events.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { statementsOf } from '#test/database/statements.ts';
import { type Break, brokenOff } from '#test/faults/break-off.ts';
import { type ConversationColumns, makeConversation } from '#test/fixtures/conversations.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { test } from '#test/fixtures/service-test.ts';

test('in 100 changes interrupted at any point, events and their jobs exist exactly if the change does', {
  timeout: 600_000,
}, async ({ service: _ }) => {
  const statements = await countStatements();
  let lost = 0;
  await fc.assert(
    fc.asyncProperty(fc.noBias(trials()), async ({ what, how, share }) => {
      const count = statements.get(what) ?? 0;
      const at = 1 + Math.floor((share / 10_000) * count);
      const label = `${what}, which ${how} statement ${at} of ${count}`;
      const url = settings().DATABASE_URL;
      if (!(await attempt(what, label, (act) => brokenOff(act, { at, how, url })))) lost += 1;
    }),
    { numRuns: 100, endOnFailure: true },
  );
  expect(lost, 'most interruptions undo the change').toBeGreaterThan(50);
});

const noAssignee = { assigneeId: null, assignedAt: null };
/** Every kind of change that records events: the conversation, the change, and its events in order. */
const CHANGES: Record<string, { where?: ConversationColumns; fires: EventKey[]; act: Act }> = {
  'a new contact': {
    fires: ['contact.created'],
    act: ({ workspaceId }) =>
      planAndWrite((tx) =>
        createContact(tx, { workspaceId, actor: { kind: 'automatic' }, fields: { name: 'Ada' } }),
      ),
  },
  'an email to a new contact': {
    fires: ['contact.created', 'conversation.created', 'conversation.assigned'],
    act: ({ id: _, ...at }) =>
      planAndWrite((tx) =>
        createConversation(tx, {
          ...at,
          toEmail: `${crypto.randomUUID()}@example.com`,
          toName: 'Ada',
          subject: 'Order',
          content: 'Hello',
        }),
      ),
  },
  'a message from a new contact': {
    fires: ['contact.created', 'conversation.created', 'message.received'],
    act: ({ workspaceId }) => receiveMessage(...incoming(workspaceId, { externalId: crypto.randomUUID() })),
  },
  'a message that reopens': {
    where: { status: 'solved' },
    fires: ['conversation.status_changed', 'message.received'],
    act: ({ workspaceId, id }) => receiveMessage(...incoming(workspaceId, { conversationId: id })),
  },
  'an update': {
    where: noAssignee,
    fires: ['conversation.status_changed', 'conversation.assigned'],
    act: ({ actor, ...at }) =>
      updateConversation({
        ...at,
        actor,
        changes: { status: 'pending', priority: 'high', assigneeId: actor.teammate.id, teamId: null },
      }),
  },
  'new tags': {
    fires: ['conversation.tagged'],
    act: (at) => planAndWrite((tx) => addTags(tx, { ...at, tags: ['VIP', 'Late'] })),
  },
  'a reply that assigns the conversation': {
    where: { ...noAssignee, channel: 'webchat' },
    fires: ['conversation.assigned'],
    act: (at) => sendReply({ ...at, content: 'Hello' }),
  },
  'a rating': {
    fires: ['conversation.rated'],
    act: ({ workspaceId, id }) =>
      rateConversation({ workspaceId, conversationId: id, score: 4, comment: 'Quick' }),
  },
  'a command': {
    fires: ['operator.command'],
    act: ({ workspaceId, id, actor }) =>
      runCommand({
        workspaceId,
        conversationId: id,
        operatorId: actor.teammate.id,
        command: 'refund',
        arguments: '',
      }),
  },
};
type Scene = Awaited<ReturnType<typeof makeScene>>;
type Act = (scene: Scene) => Promise<unknown>;

/** Creates a separate workspace with few rows, which are quick to read. */
async function makeScene(columns: ConversationColumns = {}) {
  const connection = await makeConnection();
  const { workspaceId, teammate } = connection;
  await makeHook(connection, { event: 'operator.command' });
  const limits = { slaFirstResponseMinutes: 30, slaResolutionMinutes: 240 };
  await db().workspace.update({ where: { id: workspaceId }, data: limits });
  const actor = { kind: 'teammate' as const, teammate };
  return { workspaceId, actor, id: await makeConversation(connection, columns) };
}

async function snapshot(workspaceId: string) {
  const { events: _, ...rows } = await rowsOfWorkspace(workspaceId);
  const events = await db().event.findMany({
    where: { workspaceId },
    select: { id: true, key: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const fannedOut = await eventsToFanOut();
  return { rows, events, fannedOut };
}

/**
 * Makes a change through `run`, and expects its events and jobs exactly if the change exists.
 * @returns whether the change exists
 */
async function attempt(
  what: string,
  label: string,
  run: (act: () => Promise<unknown>) => Promise<unknown>,
): Promise<boolean> {
  const change = CHANGES[what];
  if (!change) throw new Error(`There is no change ${what}.`);
  const scene = await makeScene(change.where);
  await forgetJobs();
  const before = await snapshot(scene.workspaceId);
  await run(() => change.act(scene));
  const after = await snapshot(scene.workspaceId);
  const events = after.events.slice(before.events.length);
  const isChanged = JSON.stringify(after.rows) !== JSON.stringify(before.rows);
  expect(
    events.map(({ key }) => key),
    label,
  ).toEqual(isChanged ? change.fires : []);
  expect(after.fannedOut, label).toEqual(events.map(({ id }) => id));
  return isChanged;
}

/** Returns the number of statements of each change, including begin and commit. */
async function countStatements(): Promise<Map<string, number>> {
  const statements = new Map<string, number>();
  for (const what of Object.keys(CHANGES)) {
    const isChanged = await attempt(what, `${what}, uninterrupted`, async (act) =>
      statements.set(what, (await statementsOf(act)).length),
    );
    expect(isChanged, what).toBe(true);
  }
  return statements;
}

function trials() {
  return fc.record({
    what: fc.constantFrom(...Object.keys(CHANGES)),
    how: fc.constantFrom<Break>('fails', 'is cut before', 'is cut during'),
    share: fc.nat({ max: 9_999 }),
  });
}
