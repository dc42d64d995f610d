import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { screensFor } from '#server/screens/router.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';

const test = screensTest
  .extend('intoId', ({ teammates: { workspaceId, owner } }) =>
    makeConversation({ workspaceId, teammate: owner }),
  )
  .extend('elsewhere', async ({ service: _ }) => makeConversation(await makeConnection()));

describe('permissions', () => {
  test.for(changes())(
    'an agent changes %s in their own name',
    async ([_what, act], { teammates, screensOf, conversation, intoId }) => {
      await act(await screensOf('agent'), conversation, intoId);
      const [entry] = await entries(conversation);
      expect(entry).toMatchObject({
        actorKind: 'teammate',
        actorId: teammates.agent.id,
        actorName: 'Aggie Agent',
      });
    },
  );

  test.for(changes())(
    'an attacker who is a viewer cannot change %s',
    async ([_what, act], { screensOf, conversation, intoId }) => {
      const before = await row(conversation);
      await expect(act(await screensOf('viewer'), conversation, intoId)).rejects.toMatchObject({
        cause: { refusal: 'forbidden' },
      });
      expect(await row(conversation)).toEqual(before);
      expect([await entries(conversation), await tagsOf(conversation)]).toEqual([[], ['Shipping']]);
    },
  );

  test.for(changes())(
    'an attacker of another workspace cannot change %s',
    async ([_what, act], { screensOf, elsewhere, intoId }) => {
      const before = await row(elsewhere);
      await expect(act(await screensOf('agent'), elsewhere, intoId)).rejects.toMatchObject({
        cause: { refusal: 'not_found' },
      });
      expect(await row(elsewhere)).toEqual(before);
    },
  );

  test('an attacker who is a viewer cannot start a conversation and sees no contacts to choose', async ({
    screensOf,
    conversation,
  }) => {
    const { conversations } = await screensOf('viewer');
    const mail = newMail();
    await expect(conversations.create(mail)).rejects.toMatchObject({ cause: { refusal: 'forbidden' } });
    await expect(conversations.mailProblem()).rejects.toMatchObject({ cause: { refusal: 'forbidden' } });
    expect(await db().contact.count({ where: { email: mail.to_email } })).toBe(0);
    expect(await conversations.newConversation()).toBeNull();
    expect((await conversations.get({ id: conversation }))?.actions).toMatchObject({
      problem: expect.stringContaining('Viewers'),
      teammates: [],
      teams: [],
    });
  });

  test('an agent can choose all teammates who can have conversations, and all teams', async ({
    teammates,
    screensOf,
    conversation,
  }) => {
    const { conversations } = await screensOf('agent');
    const actions = (await conversations.get({ id: conversation }))?.actions;
    expect(actions).toMatchObject({ problem: null, me: { id: teammates.agent.id } });
    expect(actions?.teammates.map(({ name }) => name)).toEqual(['Adam Admin', 'Aggie Agent', 'Olivia Owen']);
    expect(actions?.teams.length).toBeGreaterThan(0);
    expect(await conversations.newConversation()).toEqual({
      workspaceId: teammates.workspaceId,
      filesMax: 5,
      fileMaxBytes: 10 * 1024 * 1024,
    });
  });
});

describe('impossible changes', () => {
  test('nothing leaves closed, and the message says so', async ({ screensOf, conversation }) => {
    const { conversations } = await screensOf('agent');
    await conversations.update({ id: conversation, changes: { status: 'closed' } });
    expect((await conversations.get({ id: conversation }))?.conversation).toMatchObject({ nextStatuses: [] });
    await expect(conversations.update({ id: conversation, changes: { status: 'open' } })).rejects.toThrow(
      'a closed conversation stays closed',
    );
  });

  test('a conversation cannot be assigned to a viewer, an outsider or an invalid id', async ({
    teammates,
    screensOf,
    conversation,
  }) => {
    const { conversations } = await screensOf('agent');
    for (const assigneeId of [teammates.viewer.id, randomUUID(), 'somebody']) {
      await expect(conversations.update({ id: conversation, changes: { assigneeId } })).rejects.toThrow(
        'must be a teammate',
      );
    }
    expect((await row(conversation)).assigneeId).toBe(teammates.owner.id);
  });

  test('a merged conversation cannot be changed and names its target', async ({
    screensOf,
    conversation,
    intoId,
  }) => {
    const { conversations } = await screensOf('agent');
    await conversations.merge({ id: conversation, intoId });
    for (const [, act] of changes())
      await expect(act(await screensOf('agent'), conversation, intoId)).rejects.toThrow('was merged');
    const view = (await conversations.get({ id: conversation }))?.conversation;
    expect(view?.mergedInto).toEqual({ id: intoId, title: 'Order' });
    expect(view?.items).toMatchObject([{ kind: 'entry', other: { id: intoId, title: 'Order' } }]);
    expect((await conversations.get({ id: intoId }))?.conversation.items).toMatchObject([
      { other: { id: conversation, title: 'Order' } },
    ]);
  });
});

describe('tags', () => {
  test('are removed ignoring case, with a timeline entry and without an event', async ({
    teammates,
    screensOf,
    conversation,
  }) => {
    const { conversations } = await screensOf('agent');
    await conversations.addTags({ id: conversation, tags: ['VIP', 'Refund'] });
    const before = await eventsOf(teammates.workspaceId, conversation);
    await conversations.removeTags({ id: conversation, tags: ['REFUND', 'shipping', 'unknown'] });
    expect(await tagsOf(conversation)).toEqual(['VIP']);
    expect((await entries(conversation)).at(-1)).toMatchObject({
      kind: 'untagged',
      data: { tags: ['Shipping', 'Refund'] },
    });
    const view = (await (await screensOf('agent')).conversations.get({ id: conversation }))?.conversation;
    expect(view?.items.at(-1)).toMatchObject({ sentence: 'Aggie Agent removed the tags Shipping, Refund' });
    expect(await eventsOf(teammates.workspaceId, conversation)).toEqual(before);
  });

  test('that the conversation does not have change nothing', async ({ screensOf, conversation }) => {
    const before = await row(conversation);
    await (await screensOf('agent')).conversations.removeTags({ id: conversation, tags: ['unknown'] });
    expect(await row(conversation)).toEqual(before);
    expect(await entries(conversation)).toEqual([]);
  });

  test('are removed once by simultaneous requests', async ({ screensOf, conversation }) => {
    const { conversations } = await screensOf('agent');
    await Promise.all(
      [1, 2, 3].map(() => conversations.removeTags({ id: conversation, tags: ['Shipping'] })),
    );
    expect(await entries(conversation)).toHaveLength(1);
  });

  test('over forty characters are refused as in the API', async ({ screensOf, conversation }) => {
    const { conversations } = await screensOf('agent');
    await expect(conversations.addTags({ id: conversation, tags: ['x'.repeat(41)] })).rejects.toThrow(
      'at most 40 characters',
    );
    await expect(conversations.addTags({ id: conversation, tags: [' '] })).rejects.toThrow(
      'send at least one',
    );
    expect(await tagsOf(conversation)).toEqual(['Shipping']);
  });

  test('are suggested once each in alphabetical order, from this workspace only', async () => {
    const { workspaceId, owner } = await makeTeammates();
    const loadScreens = await signInTeammate(owner);
    expect(await (await loadScreens()).conversations.tags()).toEqual([]);
    const owned = { workspaceId, teammate: owner };
    for (const tags of [
      ['vip', 'Returns'],
      ['VIP', 'billing'],
    ]) {
      await (await loadScreens()).conversations.addTags({ id: await makeConversation(owned), tags });
    }
    const offered = await (await loadScreens()).conversations.tags();
    expect(offered.map((tag) => tag.toLowerCase())).toEqual(['billing', 'returns', 'shipping', 'vip']);
  });
});

describe('merge choices', () => {
  test('are the other conversations of the same contact, newest first, without merged ones and tests', async ({
    teammates,
    screensOf,
    elsewhere,
  }) => {
    const owner = { workspaceId: teammates.workspaceId, teammate: teammates.owner };
    const { id: contactId } = await makeContact(teammates.workspaceId);
    const of = (columns: object) => makeConversation(owner, { contactId, ...columns });
    const older = await of({ lastMessageAt: new Date('2026-01-03T00:00:00Z') });
    const newer = await of({ lastMessageAt: new Date('2026-01-04T00:00:00Z'), status: 'closed' });
    await of({ isTest: true });
    await of({ mergedIntoId: newer });
    const current = await of({});
    const { conversations } = await screensOf('agent');
    const choices = await conversations.mergeChoices({ id: current });
    expect(choices.map((choice) => choice.id)).toEqual([newer, older]);
    expect(choices[0]).toMatchObject({ subject: 'Order', contactName: 'Ada Lovelace', status: 'closed' });
    for (const unknown of [elsewhere, randomUUID(), 'no id']) {
      expect(await conversations.mergeChoices({ id: unknown })).toEqual([]);
    }
  });

  test('exclude web chats that an unverified visitor could then read, with the reason and an alternative', async ({
    teammates,
    screensOf,
  }) => {
    const owner = { workspaceId: teammates.workspaceId, teammate: teammates.owner };
    const claimed = { channel: 'webchat', contactClaimed: true } as const;
    const [mail, chat, another, theirs] = [
      await makeConversation(owner),
      await makeConversation(owner, claimed),
      await makeConversation(owner, claimed),
      await makeConversation(await makeConnection(), claimed),
    ];
    const { conversations } = await screensOf('agent');
    const problems = (id: string) =>
      conversations.mergeProblems({ id, intoIds: [mail, chat, another, theirs] });
    expect(await problems(mail)).toEqual({
      [chat]: expect.stringContaining('merge it into this one'),
      [another]: expect.stringContaining('merge it into this one'),
    });
    expect(await problems(chat)).toEqual({ [another]: expect.stringContaining('Reply to each') });
    for (const unknown of [theirs, randomUUID(), 'no id']) expect(await problems(unknown)).toEqual({});
  });

  test('exclude closed conversations, unless this one is closed', async ({ teammates, screensOf }) => {
    const owner = { workspaceId: teammates.workspaceId, teammate: teammates.owner };
    const open = await makeConversation(owner);
    const [closed, other] = [
      await makeConversation(owner, { status: 'closed' }),
      await makeConversation(owner, { status: 'closed' }),
    ];
    const { conversations } = await screensOf('agent');
    const problems = (id: string) => conversations.mergeProblems({ id, intoIds: [open, closed, other] });
    expect(await problems(open)).toEqual({
      [closed]: expect.stringContaining('is closed'),
      [other]: expect.stringContaining('is closed'),
    });
    expect(await problems(closed)).toEqual({});
  });
});

type Act = (screens: Awaited<ReturnType<typeof screensFor>>, id: string, intoId: string) => Promise<unknown>;

/** Returns all changes of a conversation with the tag Shipping. Each would succeed. */
function changes(): [string, Act][] {
  return [
    ['the status', ({ conversations }, id) => conversations.update({ id, changes: { status: 'solved' } })],
    [
      'the priority',
      ({ conversations }, id) => conversations.update({ id, changes: { priority: 'urgent' } }),
    ],
    ['the assignee', ({ conversations }, id) => conversations.update({ id, changes: { assigneeId: null } })],
    ['the team', ({ conversations }, id) => conversations.update({ id, changes: { teamId: null } })],
    ['a tag', ({ conversations }, id) => conversations.addTags({ id, tags: ['VIP'] })],
    ['a removed tag', ({ conversations }, id) => conversations.removeTags({ id, tags: ['shipping'] })],
    ['a merge', ({ conversations }, id, intoId) => conversations.merge({ id, intoId })],
  ];
}

const row = (id: string) => db().conversation.findUniqueOrThrow({ where: { id } });

async function tagsOf(conversationId: string): Promise<string[]> {
  const tags = await db().conversationTag.findMany({
    where: { conversationId },
    orderBy: { createdAt: 'asc' },
  });
  return tags.map(({ name }) => name);
}

const entries = (conversationId: string) =>
  db().timelineEntry.findMany({ where: { conversationId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });

async function eventsOf(workspaceId: string, conversationId: string) {
  const events = await recordedEvents(workspaceId);
  return events.filter((event) => 'conversation' in event && event.conversation.id === conversationId);
}

const newMail = () => ({
  to_email: `${randomUUID()}@example.com`,
  to_name: '',
  subject: 'Hello',
  content: 'Hi',
});
