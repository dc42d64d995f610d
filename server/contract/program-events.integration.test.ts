import { describe, expect } from 'vitest';
import { removeMember } from '#server/administration/members/remove-member.ts';
import { renameTag } from '#server/administration/tags/change-tags.ts';
import { mergeContacts } from '#server/contacts/merge-contacts.ts';
import { updateContact } from '#server/contacts/update-contact.ts';
import { isEventKey } from '#server/contract/event-catalogue.ts';
import { LOGGED_EVENT_KEYS, type LoggedEventKey } from '#server/contract/program-events.ts';
import { planAndWrite } from '#server/core/database/planned.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { mergeConversations } from '#server/inbox/conversations/merge-conversations.ts';
import { removeConversation } from '#server/inbox/conversations/removal.ts';
import { removeTags } from '#server/inbox/conversations/tags.ts';
import { recordOutcome } from '#server/inbox/messages/record-outcome.ts';
import { recordStatus } from '#server/inbox/messages/record-status.ts';
import { eventsToFanOut, loggedEvents } from '#test/database/recorded-events.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { makeScene, type Scene } from '#test/fixtures/changes.ts';
import { type ConversationColumns, makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { test } from '#test/fixtures/service-test.ts';

test.beforeEach(({ service: _ }) => forgetJobs());

describe('while a token is live, programs get:', () => {
  test.for(firing())('%s', async ([, where, act, fires]) => {
    const scene = await makeScene(where);
    await makeApiToken({ where: { workspaceId: scene.workspaceId, by: scene.actor.teammate } });
    await act(scene);
    const events = await loggedEvents(scene.workspaceId);
    expect(events.map(({ event }) => event)).toEqual(fires.map(([key]) => key));
    expect(events).toMatchObject(fires.map(([, details]) => details(scene)));
    const forHooks = events.filter(({ event }) => isEventKey(event)).map(({ id }) => id);
    expect(await eventsToFanOut(), 'the hooks of the platform still know eight events').toEqual(forHooks);
  });

  test('every event that hooks do not get', () => {
    const among = new Set(firing().flatMap(([, , , fires]) => fires.map(([key]) => key)));
    const expected = LOGGED_EVENT_KEYS.filter((key) => !isEventKey(key));
    expect([...among].filter((key) => !isEventKey(key)).sort()).toEqual(expected.toSorted());
  });
});

test.for(firing())(
  'without a token the change is made and no program event is recorded: %s',
  async ([, where, act]) => {
    const scene = await makeScene(where);
    await act(scene);
    const events = await loggedEvents(scene.workspaceId);
    expect(events.filter(({ event }) => !isEventKey(event))).toEqual([]);
  },
);

describe('no event for a program follows from', () => {
  test.for(silent())('%s', async ([, where, act]) => {
    const scene = await makeScene(where);
    await makeApiToken({ where: { workspaceId: scene.workspaceId, by: scene.actor.teammate } });
    await act(scene);
    expect(await loggedEvents(scene.workspaceId)).toEqual([]);
  });
});

type Act = (scene: Scene) => Promise<unknown>;
type Details = (scene: Scene) => object;
/** A change, the conversation's columns before it, and the recorded events in order, with what they contain. */
type Case = [what: string, where: ConversationColumns, act: Act, fires: [LoggedEventKey, Details][]];

function firing(): Case[] {
  return [
    [
      'unassigning',
      {},
      (s) => s.update({ assigneeId: null }),
      [
        [
          'conversation.unassigned',
          (s) => ({
            ...byTeammate(s),
            previous_assignee: { id: s.actor.teammate.id },
            conversation: { id: s.id, assignee: null },
          }),
        ],
      ],
    ],
    [
      'the assignee leaves',
      {},
      async (s) => {
        const leaving = await makeUser('Leah', { workspaceId: s.workspaceId, role: 'agent' });
        await db().conversation.update({ where: { id: s.id }, data: { assigneeId: leaving.id } });
        await removeMember({ workspaceId: s.workspaceId, userId: leaving.id, by: s.actor.teammate });
      },
      [
        [
          'conversation.unassigned',
          (s) => ({
            ...byTeammate(s),
            previous_assignee: { name: 'Leah' },
            conversation: { assignee: null },
          }),
        ],
      ],
    ],
    [
      'renaming a tag',
      {},
      (s) =>
        renameTag({ workspaceId: s.workspaceId, by: s.actor.teammate, key: 'shipping', name: 'Delivery' }),
      [
        [
          'conversation.tag_removed',
          (s) => ({
            ...byTeammate(s),
            removed_tags: ['Shipping'],
            conversation: { tags: expect.arrayContaining(['Delivery']) },
          }),
        ],
      ],
    ],
    [
      'removing tags',
      {},
      async (s) => planAndWrite((tx) => removeTags(tx, { ...s.at, tags: ['SHIPPING', 'unknown'] })),
      [['conversation.tag_removed', (s) => ({ ...byTeammate(s), removed_tags: ['Shipping'] })]],
    ],
    [
      'merging an open conversation into a solved one',
      { status: 'open' },
      async (s) => {
        const intoId = await makeConversation(s.connection, { status: 'solved' });
        await inTransaction((tx) => mergeConversations(tx, { ...s.at, intoId }));
      },
      [
        [
          'conversation.merged',
          (s) => ({ ...byTeammate(s), merged_conversation_id: s.id, conversation: { status: 'open' } }),
        ],
        ['conversation.status_changed', () => ({})],
      ],
    ],
    ...(['deleted', 'spam'] as const).map(
      (to): Case => [
        `a conversation becomes ${to}`,
        {},
        (s) => removeConversation({ ...s.at, to }),
        [['conversation.deleted', (s) => ({ ...byTeammate(s), conversation_id: s.id, reason: to })]],
      ],
    ),
    [
      'a reply on a channel that needs no sending',
      {},
      (s) => s.reply(),
      [
        [
          'reply.sent',
          (s) => ({
            ...byTeammate(s),
            reply: { conversation_id: s.id, content: 'Hello', send_status: null },
          }),
        ],
      ],
    ],
    [
      'a reply of the platform that is sent later',
      { channel: 'whatsapp' },
      async (s) => {
        await makeReply(s, 'sending', { authorKind: 'workflow', connectionId: s.connection.id });
        await recordOutcome(replyOf(s), { status: 'sent', externalId: 'provider:1' });
        await recordOutcome(replyOf(s), { status: 'sent', externalId: 'provider:1' });
      },
      [
        [
          'reply.sent',
          (s) => ({
            reply: { id: replyOf(s), send_status: 'sent' },
            actor: { type: 'platform', id: s.actor.teammate.id },
            causeId: s.connection.id,
          }),
        ],
      ],
    ],
    [
      'a reply that fails',
      { channel: 'whatsapp' },
      async (s) => {
        await makeReply(s, 'sending');
        await recordOutcome(replyOf(s), { status: 'failed', reason: 'The number is unknown.' });
      },
      [
        [
          'reply.failed',
          (s) => ({
            ...byService(),
            reply: { id: replyOf(s), send_status: 'failed', delivery_error: 'The number is unknown.' },
          }),
        ],
      ],
    ],
    [
      'a failure that the provider reports twice after sending',
      { channel: 'whatsapp' },
      async (s) => {
        await makeReply(s, 'sent', { externalId: 'provider:1' });
        const report = { workspaceId: s.workspaceId, channelAccountId: null, providerId: 'provider:1' };
        await recordStatus({ ...report, status: 'failed', reason: 'Blocked.' });
        await recordStatus({ ...report, status: 'failed', reason: 'Blocked.' });
      },
      [['reply.failed', () => ({ ...byService(), reply: { delivery_error: 'Blocked.' } })]],
    ],
    [
      'a note',
      {},
      (s) => s.note('For us'),
      [['note.added', (s) => ({ ...byTeammate(s), note: { content: 'For us' } })]],
    ],
    [
      'a command',
      {},
      (s) => s.run('refund'),
      [
        [
          'note.added',
          () => ({ note: { content: 'Ben ran /refund' }, actor: { type: 'teammate', name: 'Ben' } }),
        ],
        ['operator.command', () => ({})],
      ],
    ],
    [
      'a change of a contact',
      {},
      async (s) =>
        updateContact({ ...s.at, id: await s.contactId(), fields: { city: 'Lund', name: 'Ada Byron' } }),
      [
        [
          'contact.updated',
          (s) => ({
            ...byTeammate(s),
            contact: { city: 'Lund', name: 'Ada Byron' },
            changed_fields: expect.arrayContaining(['name', 'city']),
          }),
        ],
      ],
    ],
    [
      'merging a contact',
      {},
      async (s) => {
        const { id } = await makeContact(s.workspaceId, { firstName: 'Twin' });
        await mergeContacts({ ...s.at, id, intoId: await s.contactId() });
      },
      [
        [
          'contact.merged',
          (s) => ({
            ...byTeammate(s),
            merged_contact_id: expect.any(String),
            contact: { id: expect.any(String) },
          }),
        ],
      ],
    ],
  ];
}

function silent(): Case[] {
  return [
    [
      'removing unknown tags',
      {},
      async (s) => planAndWrite((tx) => removeTags(tx, { ...s.at, tags: ['unknown'] })),
      [],
    ],
    [
      'a contact whose fields get the values that they have',
      {},
      async (s) => {
        const { id } = await makeContact(s.workspaceId, { firstName: 'Ada', city: 'Lund' });
        await updateContact({ ...s.at, id, fields: { city: 'Lund' } });
      },
      [],
    ],
    ['a note in a conversation from testing the AI agent', { isTest: true }, (s) => s.note('For us'), []],
    [
      'a forward and a rating request, which are no replies',
      { channel: 'email' },
      async (s) => {
        await makeReply(s, 'sending', { authorKind: 'automatic', authorId: null });
        await recordOutcome(replyOf(s), { status: 'sent', externalId: '<1@example.com>' });
        await db().message.update({
          where: { id: replyOf(s) },
          data: { direction: 'forward', sendStatus: 'sending' },
        });
        await recordOutcome(replyOf(s), { status: 'failed', reason: 'Refused.' });
      },
      [],
    ],
    [
      'a failure of a reply in a deleted conversation',
      { channel: 'whatsapp', removal: 'deleted', removedAt: new Date() },
      async (s) => {
        await makeReply(s, 'sending');
        await recordOutcome(replyOf(s), { status: 'failed', reason: 'The number is unknown.' });
      },
      [],
    ],
  ];
}

/** Id of the reply that `makeReply` saves: that of the conversation, as the two are in different tables. */
function replyOf({ id }: Scene): string {
  return id;
}

async function makeReply(
  scene: Scene,
  sendStatus: 'sending' | 'sent',
  columns: Partial<Prisma.MessageUncheckedCreateInput> = {},
) {
  const { teammate } = scene.actor;
  await db().message.create({
    data: {
      id: replyOf(scene),
      workspaceId: scene.workspaceId,
      conversationId: scene.id,
      direction: 'outbound',
      authorKind: 'teammate',
      authorId: teammate.id,
      authorName: teammate.name,
      content: 'Hello',
      sendStatus,
      sendStartedAt: sendStatus === 'sending' ? new Date() : null,
      ...columns,
    },
  });
}

function byTeammate({ actor: { teammate } }: Scene): object {
  return { actor: { type: 'teammate', id: teammate.id, name: teammate.name }, causeId: null };
}

function byService(): object {
  return { actor: { type: 'automation', id: null, name: null }, causeId: null };
}
