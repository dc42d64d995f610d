import { describe, expect } from 'vitest';
import { createContact } from '#server/contacts/create-contact.ts';
import { updateContact } from '#server/contacts/update-contact.ts';
import { EVENT_KEYS, type EventKey } from '#server/contract/event-catalogue.ts';
import { planAndWrite } from '#server/core/database/planned.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { mergeConversations } from '#server/inbox/conversations/merge-conversations.ts';
import { createConversation } from '#server/inbox/messages/create-conversation.ts';
import { eventsToFanOut, recordedEvents } from '#test/database/recorded-events.ts';
import { makeScene, type Scene } from '#test/fixtures/changes.ts';
import { type ConversationColumns, makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { test } from '#test/fixtures/service-test.ts';

test.beforeEach(({ service: _ }) => forgetJobs());

describe('fires:', () => {
  test.for(firing())('%s', async ([, where, act, fires]) => {
    const scene = await makeScene(where);
    await act(scene);
    expect(await fired(scene)).toEqual(fires);
  });

  test('covers all eight events', () => {
    const among = new Set(firing().flatMap(([, , , fires]) => fires));
    expect([...among].sort()).toEqual([...EVENT_KEYS].sort());
  });
});

describe('does not fire:', () => {
  test.for(silent())('%s', async ([, where, act]) => {
    const scene = await makeScene(where);
    await act(scene);
    expect(await fired(scene)).toEqual([]);
  });
});

describe('never fires or shows in samples for a conversation from testing the AI agent:', () => {
  test.for(inTestConversation())('%s', async ([what, where, act]) => {
    const scene = await makeScene({ ...where, isTest: true });
    if (what === 'a command') await expect(act(scene)).rejects.toMatchObject({ refusal: 'invalid' });
    else await act(scene);
    expect(await fired(scene)).toEqual([]);
    expect(await db().sample.count({ where: { workspaceId: scene.workspaceId } })).toBe(0);
    expect(await db().contact.count({ where: { workspaceId: scene.workspaceId, isTest: false } })).toBe(1);
  });
});

describe('without a connection the change is made and no event is recorded:', () => {
  test.for(firing().filter(([what]) => what !== 'a command'))('%s', async ([, where, act]) => {
    const scene = await makeScene(where);
    await db().connection.updateMany({
      where: { workspaceId: scene.workspaceId },
      data: { endedAt: new Date(), endReason: 'disconnected' },
    });
    await act(scene);
    expect(await fired(scene)).toEqual([]);
  });
});

test('a message in a merged conversation fires for the conversation it was merged into', async () => {
  const scene = await makeScene({ status: 'solved' });
  const contact = await makeContact(scene.workspaceId);
  const intoId = await makeConversation(scene.connection, { status: 'solved', contactId: contact.id });
  await inTransaction((tx) => mergeConversations(tx, { ...scene.at, intoId }));
  await scene.receive({ conversationId: scene.id });
  expect(await recordedEvents(scene.workspaceId)).toMatchObject([
    { event: 'conversation.status_changed', conversation: { id: intoId } },
    { event: 'message.received', conversation: { id: intoId } },
  ]);
});

/** A change, the conversation's columns before it, and the emitted events in order. */
type Case = [
  what: string,
  where: ConversationColumns,
  act: (scene: Scene) => Promise<unknown>,
  fires: EventKey[],
];

function firing(): Case[] {
  const noAssignee = { assigneeId: null, assignedAt: null };
  return [
    [
      'creating a contact',
      {},
      (s) => planAndWrite((tx) => createContact(tx, { ...s.at, fields: { name: 'Ada' } })),
      ['contact.created'],
    ],
    [
      'starting an email to a new contact',
      {},
      (s) =>
        planAndWrite((tx) =>
          createConversation(tx, {
            workspaceId: s.workspaceId,
            actor: s.at.actor,
            toEmail: 'grace@example.com',
            toName: 'Grace',
            subject: 'Hello',
            content: 'Hello',
          }),
        ),
      ['contact.created', 'conversation.created', 'conversation.assigned'],
    ],
    [
      'a first message from a new contact',
      {},
      (s) => s.receive(),
      ['contact.created', 'conversation.created', 'message.received'],
    ],
    [
      'a first message from a known contact',
      {},
      async (s) => s.receive({ contact: { id: await s.contactId() } }),
      ['conversation.created', 'message.received'],
    ],
    [
      'a message in an open conversation',
      {},
      (s) => s.receive({ conversationId: s.id }),
      ['message.received'],
    ],
    [
      'a message in a pending conversation',
      { status: 'pending' },
      (s) => s.receive({ conversationId: s.id }),
      ['conversation.status_changed', 'message.received'],
    ],
    [
      'a message in a solved conversation',
      { status: 'solved' },
      (s) => s.receive({ conversationId: s.id }),
      ['conversation.status_changed', 'message.received'],
    ],
    [
      'a message in a closed conversation',
      { status: 'closed' },
      (s) => s.receive({ conversationId: s.id }),
      ['conversation.created', 'message.received'],
    ],
    ['a change of status', {}, (s) => s.update({ status: 'solved' }), ['conversation.status_changed']],
    ['assigning', noAssignee, (s) => s.update({ assigneeId: s.ben.id }), ['conversation.assigned']],
    ['assigning again', {}, (s) => s.update({ assigneeId: s.ben.id }), ['conversation.assigned']],
    [
      'a change of several fields together',
      {},
      (s) => s.update({ status: 'pending', priority: 'high', assigneeId: s.ben.id, teamId: null }),
      ['conversation.status_changed', 'conversation.assigned'],
    ],
    ['new tags', {}, (s) => s.tag('VIP', 'shipping'), ['conversation.tagged']],
    ['a reply that assigns the conversation', noAssignee, (s) => s.reply(), ['conversation.assigned']],
    ['a rating', {}, (s) => s.rate(), ['conversation.rated']],
    ['a command', {}, (s) => s.run('refund'), ['operator.command']],
  ];
}

function silent(): Case[] {
  const noAssignee = { assigneeId: null, assignedAt: null };
  return [
    ['unassigning', {}, (s) => s.update({ assigneeId: null }), []],
    ['unassigning an unassigned conversation', noAssignee, (s) => s.update({ assigneeId: null }), []],
    ['assigning to the current assignee', {}, (s) => s.update({ assigneeId: s.actor.teammate.id }), []],
    ...(['open', 'pending', 'solved', 'closed'] as const).map(
      (status): Case => [`a status set to itself: ${status}`, { status }, (s) => s.update({ status }), []],
    ),
    ['a change of priority', {}, (s) => s.update({ priority: 'urgent' }), []],
    ['removing from a team', {}, (s) => s.update({ teamId: null }), []],
    ['existing tags', {}, (s) => s.tag('SHIPPING', 'shipping'), []],
    ['a reply of a teammate', {}, (s) => s.reply(), []],
    ['a reply of a teammate in a solved conversation', { status: 'solved' }, (s) => s.reply(), []],
    ['a note', {}, (s) => s.note('For us'), []],
    ['a note that mentions a teammate', {}, (s) => s.note('@Ben, look'), []],
    [
      'a change of a contact',
      {},
      async (s) => updateContact({ ...s.at, id: await s.contactId(), fields: { city: 'London' } }),
      [],
    ],
    [
      'merging',
      {},
      async (s) => {
        const intoId = await makeConversation(s.connection);
        await inTransaction((tx) => mergeConversations(tx, { ...s.at, intoId }));
      },
      [],
    ],
    [
      'a message that was received before',
      {},
      async (s) => {
        const { workspaceId } = s;
        const message = incoming(workspaceId, { conversationId: s.id, externalId: 'provider:1' });
        await receiveMessage(...message);
        await forget(workspaceId);
        await receiveMessage(...message);
      },
      [],
    ],
  ];
}

/** Returns the changes in a conversation from testing the AI agent. */
function inTestConversation(): Case[] {
  const elsewhere = new Set(['creating a contact', 'starting an email to a new contact']);
  return [
    ...firing().filter(([what]) => !elsewhere.has(what) && !what.startsWith('a first message')),
    ['a first message from a new contact', {}, (s) => s.receive({ isTest: true }), []],
    [
      'a first message from a known contact',
      {},
      async (s) => s.receive({ isTest: true, contact: { id: await s.contactId() } }),
      [],
    ],
  ];
}

async function forget(workspaceId: string) {
  await db().event.deleteMany({ where: { workspaceId } });
  await forgetJobs();
}

async function fired({ workspaceId }: Scene): Promise<EventKey[]> {
  const events = await recordedEvents(workspaceId);
  const keys = events.map(({ occurred_at, id }) => `${occurred_at} ${id}`);
  expect(keys, 'consumers order events by occurred_at, then id').toEqual(keys.toSorted());
  expect(await eventsToFanOut(), 'each event is fanned out once').toEqual(events.map(({ id }) => id));
  return events.map(({ event }) => event);
}
