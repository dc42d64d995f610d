import { beforeEach, describe, expect, test } from 'vitest';
import { createContact } from '#server/contacts/create-contact.ts';
import { updateContact } from '#server/contacts/update-contact.ts';
import { EVENT_KEYS, type EventKey } from '#server/contract/event-catalogue.ts';
import { db } from '#server/core/database/prisma.ts';
import { runCommand } from '#server/inbox/commands/run-command.ts';
import { addNote } from '#server/inbox/conversations/add-note.ts';
import { mergeConversations } from '#server/inbox/conversations/merge-conversations.ts';
import { addTags } from '#server/inbox/conversations/tags.ts';
import {
  type ConversationChanges,
  updateConversation,
} from '#server/inbox/conversations/update-conversation.ts';
import { createConversation } from '#server/inbox/messages/create-conversation.ts';
import { receiveMessage } from '#server/inbox/messages/receive-message.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { rateConversation } from '#server/inbox/ratings/rate-conversation.ts';
import type { PersonalActor } from '#server/teammates/actor.ts';
import { eventsToFanOut, recordedEvents } from '#test/database/recorded-events.ts';
import { type ConversationColumns, makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { type Incoming, incoming } from '#test/fixtures/incoming.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { withTestService } from '#test/fixtures/service.ts';

withTestService();
let scene: Awaited<ReturnType<typeof makeScene>>;
/**
 * Changed columns of the conversation, which is by default open, assigned, in a team, tagged `Shipping`, and
 * was solved once.
 */
let columns: ConversationColumns = {};
beforeEach(async () => {
  await forgetJobs();
  columns = {};
});

async function makeScene() {
  const connection = await makeConnection();
  const { workspaceId, teammate } = connection;
  const ben = await makeUser('Ben');
  await addMember(workspaceId, ben.id, 'agent');
  await makeHook(connection, { event: 'operator.command' });
  const actor: PersonalActor = { kind: 'teammate', teammate };
  const id = await makeConversation(connection, { channel: 'webchat', ...columns });
  return { connection, workspaceId, actor, ben, id };
}

const noAssignee = { assigneeId: null, assignedAt: null };
const is = (given: ConversationColumns) => {
  columns = given;
};
const update = (changes: ConversationChanges) => updateConversation({ ...scene, changes });
const tag = (...tags: string[]) => addTags({ ...scene, tags });
const receive = (given: Incoming = {}) => receiveMessage(...incoming(scene.workspaceId, given));
const reply = () => sendReply({ ...scene, content: 'Hello' });
const note = (content: string) => addNote({ ...scene, content });
const rate = () => rateConversation({ ...scene, conversationId: scene.id, score: 5, comment: null });
const run = (command: string) =>
  runCommand({
    ...scene,
    conversationId: scene.id,
    operatorId: scene.ben.id,
    command,
    arguments: '',
  });
const contactId = async () =>
  (await db().conversation.findUniqueOrThrow({ where: { id: scene.id } })).contactId ?? '';

/** A change, the conversation's columns before it, and the emitted events in order. */
type Case = [what: string, where: ConversationColumns, act: () => Promise<unknown>, fires: EventKey[]];

const FIRING: Case[] = [
  ['creating a contact', {}, () => createContact({ ...scene, fields: { name: 'Ada' } }), ['contact.created']],
  [
    'starting an email to a new contact',
    {},
    () =>
      createConversation({
        ...scene,
        toEmail: 'grace@example.com',
        toName: 'Grace',
        subject: 'Hello',
        content: 'Hello',
      }),
    ['contact.created', 'conversation.created', 'conversation.assigned'],
  ],
  [
    'a first message from a new contact',
    {},
    () => receive(),
    ['contact.created', 'conversation.created', 'message.received'],
  ],
  [
    'a first message from a known contact',
    {},
    async () => receive({ contact: { id: await contactId() } }),
    ['conversation.created', 'message.received'],
  ],
  [
    'a message in an open conversation',
    {},
    () => receive({ conversationId: scene.id }),
    ['message.received'],
  ],
  [
    'a message in a pending conversation',
    { status: 'pending' },
    () => receive({ conversationId: scene.id }),
    ['conversation.status_changed', 'message.received'],
  ],
  [
    'a message in a solved conversation',
    { status: 'solved' },
    () => receive({ conversationId: scene.id }),
    ['conversation.status_changed', 'message.received'],
  ],
  [
    'a message in a closed conversation',
    { status: 'closed' },
    () => receive({ conversationId: scene.id }),
    ['conversation.created', 'message.received'],
  ],
  ['a change of status', {}, () => update({ status: 'solved' }), ['conversation.status_changed']],
  ['assigning', noAssignee, () => update({ assigneeId: scene.ben.id }), ['conversation.assigned']],
  ['assigning again', {}, () => update({ assigneeId: scene.ben.id }), ['conversation.assigned']],
  [
    'a change of several fields together',
    {},
    () => update({ status: 'pending', priority: 'high', assigneeId: scene.ben.id, teamId: null }),
    ['conversation.status_changed', 'conversation.assigned'],
  ],
  ['new tags', {}, () => tag('VIP', 'shipping'), ['conversation.tagged']],
  ['a reply that assigns the conversation', noAssignee, reply, ['conversation.assigned']],
  ['a rating', {}, rate, ['conversation.rated']],
  ['a command', {}, () => run('refund'), ['operator.command']],
];

const SILENT: Case[] = [
  ['unassigning', {}, () => update({ assigneeId: null }), []],
  ['unassigning an unassigned conversation', noAssignee, () => update({ assigneeId: null }), []],
  ['assigning to the current assignee', {}, () => update({ assigneeId: scene.actor.teammate.id }), []],
  ...(['open', 'pending', 'solved', 'closed'] as const).map(
    (status): Case => [`a status set to itself: ${status}`, { status }, () => update({ status }), []],
  ),
  ['a change of priority', {}, () => update({ priority: 'urgent' }), []],
  ['removing from a team', {}, () => update({ teamId: null }), []],
  ['existing tags', {}, () => tag('SHIPPING', 'shipping'), []],
  ['a reply of a teammate', {}, reply, []],
  ['a reply of a teammate in a solved conversation', { status: 'solved' }, reply, []],
  ['a note', {}, () => note('For us'), []],
  ['a note that mentions a teammate', {}, () => note('@Ben, look'), []],
  [
    'a change of a contact',
    {},
    async () => updateContact({ ...scene, id: await contactId(), fields: { city: 'London' } }),
    [],
  ],
  [
    'merging',
    {},
    async () => mergeConversations({ ...scene, intoId: await makeConversation(scene.connection) }),
    [],
  ],
  [
    'a message that was received before',
    {},
    async () => {
      const { connection, workspaceId } = scene;
      const message = incoming(workspaceId, { conversationId: scene.id, externalId: 'provider:1' });
      await receiveMessage(...message);
      await forget(connection.workspaceId);
      await receiveMessage(...message);
    },
    [],
  ],
];

const forget = async (workspaceId: string) => {
  await db().event.deleteMany({ where: { workspaceId } });
  await forgetJobs();
};

async function fired(): Promise<EventKey[]> {
  const events = await recordedEvents(scene.workspaceId);
  expect(await eventsToFanOut(), 'each event is fanned out once').toEqual(events.map(({ id }) => id));
  const keys = events.map(({ occurred_at, id }) => `${occurred_at} ${id}`);
  expect(keys, 'consumers order events by occurred_at, then id').toEqual(keys.toSorted());
  return events.map(({ event }) => event);
}

describe('fires:', () => {
  test.each(FIRING)('%s', async (_what, where, act, fires) => {
    is(where);
    scene = await makeScene();
    await act();
    expect(await fired()).toEqual(fires);
  });

  test('covers all eight events', () => {
    const among = new Set(FIRING.flatMap(([, , , fires]) => fires));
    expect([...among].sort()).toEqual([...EVENT_KEYS].sort());
  });
});

describe('does not fire:', () => {
  test.each(SILENT)('%s', async (_what, where, act) => {
    is(where);
    scene = await makeScene();
    await act();
    expect(await fired()).toEqual([]);
  });
});

describe('never fires or shows in samples for a conversation from testing the AI agent:', () => {
  const elsewhere = new Set(['creating a contact', 'starting an email to a new contact']);
  const inIt = FIRING.filter(([what]) => !elsewhere.has(what) && !what.startsWith('a first message'));
  const firstMessages: Case[] = [
    ['a first message from a new contact', {}, () => receive({ isTest: true }), []],
    [
      'a first message from a known contact',
      {},
      async () => receive({ isTest: true, contact: { id: await contactId() } }),
      [],
    ],
  ];

  test.each([...inIt, ...firstMessages])('%s', async (what, where, act) => {
    is({ ...where, isTest: true });
    scene = await makeScene();
    if (what === 'a command') await expect(act()).rejects.toMatchObject({ refusal: 'invalid' });
    else await act();
    expect(await fired()).toEqual([]);
    expect(await db().sample.count({ where: { workspaceId: scene.workspaceId } })).toBe(0);
    expect(await db().contact.count({ where: { workspaceId: scene.workspaceId, isTest: false } })).toBe(1);
  });
});

describe('without a connection the change is made and no event is recorded:', () => {
  test.each(FIRING.filter(([what]) => what !== 'a command'))('%s', async (_what, where, act) => {
    is(where);
    scene = await makeScene();
    await db().connection.updateMany({
      where: { workspaceId: scene.workspaceId },
      data: { endedAt: new Date(), endReason: 'disconnected' },
    });
    await act();
    expect(await fired()).toEqual([]);
  });
});

test('a message in a merged conversation fires for the conversation it was merged into', async () => {
  scene = await makeScene();
  const contact = await makeContact(scene.workspaceId);
  const intoId = await makeConversation(scene.connection, { status: 'solved', contactId: contact.id });
  await mergeConversations({ ...scene, intoId });
  await receive({ conversationId: scene.id });
  expect(await recordedEvents(scene.workspaceId)).toMatchObject([
    { event: 'conversation.status_changed', conversation: { id: intoId } },
    { event: 'message.received', conversation: { id: intoId } },
  ]);
});
