import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';

withTestService();
type LoadScreens = Awaited<ReturnType<typeof signInTeammate>>;
type Screens = Awaited<ReturnType<LoadScreens>>;

let teammates: Teammates;
let asAgent: LoadScreens;
let asViewer: LoadScreens;
let elsewhere: string;
beforeAll(async () => {
  teammates = await makeTeammates();
  asAgent = await signInTeammate(teammates.agent);
  asViewer = await signInTeammate(teammates.viewer);
  const other = await makeTeammates();
  elsewhere = await makeConversation({ workspaceId: other.workspaceId, teammate: other.owner });
});

/** A conversation that is assigned to the owner, with the tag Shipping. */
let id: string;
let intoId: string;
beforeEach(async () => {
  const owner = { workspaceId: teammates.workspaceId, teammate: teammates.owner };
  id = await makeConversation(owner);
  intoId = await makeConversation(owner);
});

const row = (which = id) => db().conversation.findUniqueOrThrow({ where: { id: which } });
const tagsOf = async () =>
  (await db().conversationTag.findMany({ where: { conversationId: id }, orderBy: { createdAt: 'asc' } })).map(
    ({ name }) => name,
  );
const entries = () =>
  db().timelineEntry.findMany({
    where: { conversationId: id },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
const eventsOf = async (which: string) =>
  (await recordedEvents(teammates.workspaceId)).filter(
    (event) => 'conversation' in event && event.conversation.id === which,
  );

const newMail = () => ({
  to_email: `${randomUUID()}@example.com`,
  to_name: '',
  subject: 'Hello',
  content: 'Hi',
});

/** All changes of a conversation. Each would succeed. */
const CHANGES: [string, (screens: Screens, which: string) => Promise<unknown>][] = [
  [
    'the status',
    ({ conversations }, which) => conversations.update({ id: which, changes: { status: 'solved' } }),
  ],
  [
    'the priority',
    ({ conversations }, which) => conversations.update({ id: which, changes: { priority: 'urgent' } }),
  ],
  [
    'the assignee',
    ({ conversations }, which) => conversations.update({ id: which, changes: { assigneeId: null } }),
  ],
  ['the team', ({ conversations }, which) => conversations.update({ id: which, changes: { teamId: null } })],
  ['a tag', ({ conversations }, which) => conversations.addTags({ id: which, tags: ['VIP'] })],
  [
    'a removed tag',
    ({ conversations }, which) => conversations.removeTags({ id: which, tags: ['shipping'] }),
  ],
  ['a merge', ({ conversations }, which) => conversations.merge({ id: which, intoId })],
];

describe('permissions', () => {
  test.each(CHANGES)('an agent changes %s in their own name', async (_what, act) => {
    await act(await asAgent(), id);
    const [entry] = await entries();
    expect(entry).toMatchObject({
      actorKind: 'teammate',
      actorId: teammates.agent.id,
      actorName: 'Aggie Agent',
    });
  });

  test.each(CHANGES)('an attacker who is a viewer cannot change %s', async (_what, act) => {
    const before = await row();
    await expect(act(await asViewer(), id)).rejects.toMatchObject({ cause: { refusal: 'forbidden' } });
    expect(await row()).toEqual(before);
    expect([await entries(), await tagsOf()]).toEqual([[], ['Shipping']]);
  });

  test.each(CHANGES)('an attacker of another workspace cannot change %s', async (_what, act) => {
    const before = await row(elsewhere);
    await expect(act(await asAgent(), elsewhere)).rejects.toMatchObject({ cause: { refusal: 'not_found' } });
    expect(await row(elsewhere)).toEqual(before);
  });

  test('an attacker who is a viewer cannot start a conversation and sees no contacts to choose', async () => {
    const { conversations } = await asViewer();
    const mail = newMail();
    await expect(conversations.create(mail)).rejects.toMatchObject({ cause: { refusal: 'forbidden' } });
    await expect(conversations.mailProblem()).rejects.toMatchObject({ cause: { refusal: 'forbidden' } });
    expect(await db().contact.count({ where: { email: mail.to_email } })).toBe(0);
    expect(await conversations.newConversation()).toBeNull();
    expect((await conversations.get({ id }))?.actions).toMatchObject({
      problem: expect.stringContaining('Viewers'),
      teammates: [],
      teams: [],
    });
  });

  test('an agent can choose all teammates who can have conversations, and all teams', async () => {
    const { conversations } = await asAgent();
    const actions = (await conversations.get({ id }))?.actions;
    expect(actions).toMatchObject({ problem: null, me: { id: teammates.agent.id } });
    expect(actions?.teammates.map(({ name }) => name)).toEqual(['Adam Admin', 'Aggie Agent', 'Olivia Owen']);
    expect(actions?.teams.length).toBeGreaterThan(0);
    expect(await conversations.newConversation()).toEqual({
      workspaceId: teammates.workspaceId,
      filesMax: 5,
    });
  });
});

describe('impossible changes', () => {
  test('nothing leaves closed, and the message says so', async () => {
    const { conversations } = await asAgent();
    await conversations.update({ id, changes: { status: 'closed' } });
    expect((await conversations.get({ id }))?.conversation).toMatchObject({ nextStatuses: [] });
    await expect(conversations.update({ id, changes: { status: 'open' } })).rejects.toThrow(
      'a closed conversation stays closed',
    );
  });

  test('a conversation cannot be assigned to a viewer, an outsider or an invalid id', async () => {
    const { conversations } = await asAgent();
    for (const assigneeId of [teammates.viewer.id, randomUUID(), 'somebody']) {
      await expect(conversations.update({ id, changes: { assigneeId } })).rejects.toThrow(
        'must be a teammate',
      );
    }
    expect((await row()).assigneeId).toBe(teammates.owner.id);
  });

  test('a merged conversation cannot be changed and names its target', async () => {
    const { conversations } = await asAgent();
    await conversations.merge({ id, intoId });
    for (const [, act] of CHANGES) await expect(act(await asAgent(), id)).rejects.toThrow('was merged');
    const view = (await conversations.get({ id }))?.conversation;
    expect(view?.mergedInto).toEqual({ id: intoId, title: 'Order' });
    expect(view?.items).toMatchObject([{ kind: 'entry', other: { id: intoId, title: 'Order' } }]);
    expect((await conversations.get({ id: intoId }))?.conversation.items).toMatchObject([
      { other: { id, title: 'Order' } },
    ]);
  });
});

describe('tags', () => {
  test('are removed ignoring case, with a timeline entry and without an event', async () => {
    const { conversations } = await asAgent();
    await conversations.addTags({ id, tags: ['VIP', 'Refund'] });
    const before = await eventsOf(id);
    await conversations.removeTags({ id, tags: ['REFUND', 'shipping', 'unknown'] });
    expect(await tagsOf()).toEqual(['VIP']);
    expect((await entries()).at(-1)).toMatchObject({
      kind: 'untagged',
      data: { tags: ['Shipping', 'Refund'] },
    });
    const view = (await (await asAgent()).conversations.get({ id }))?.conversation;
    expect(view?.items.at(-1)).toMatchObject({ sentence: 'Aggie Agent removed the tags Shipping, Refund' });
    expect(await eventsOf(id)).toEqual(before);
  });

  test('that the conversation does not have change nothing', async () => {
    const before = await row();
    await (await asAgent()).conversations.removeTags({ id, tags: ['unknown'] });
    expect(await row()).toEqual(before);
    expect(await entries()).toEqual([]);
  });

  test('are removed once by simultaneous requests', async () => {
    const { conversations } = await asAgent();
    await Promise.all([1, 2, 3].map(() => conversations.removeTags({ id, tags: ['Shipping'] })));
    expect(await entries()).toHaveLength(1);
  });

  test('over forty characters are refused as in the API', async () => {
    const { conversations } = await asAgent();
    await expect(conversations.addTags({ id, tags: ['x'.repeat(41)] })).rejects.toThrow(
      'at most 40 characters',
    );
    await expect(conversations.addTags({ id, tags: [' '] })).rejects.toThrow('send at least one');
    expect(await tagsOf()).toEqual(['Shipping']);
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
  test('are the other conversations of the same contact, newest first, without merged ones and tests', async () => {
    const owner = { workspaceId: teammates.workspaceId, teammate: teammates.owner };
    const { id: contactId } = await makeContact(teammates.workspaceId);
    const of = (columns: object) => makeConversation(owner, { contactId, ...columns });
    const older = await of({ lastMessageAt: new Date('2026-01-03T00:00:00Z') });
    const newer = await of({ lastMessageAt: new Date('2026-01-04T00:00:00Z'), status: 'closed' });
    await of({ isTest: true });
    await of({ mergedIntoId: newer });
    const current = await of({});
    const { conversations } = await asAgent();
    const choices = await conversations.mergeChoices({ id: current });
    expect(choices.map((choice) => choice.id)).toEqual([newer, older]);
    expect(choices[0]).toMatchObject({ subject: 'Order', contactName: 'Ada Lovelace', status: 'closed' });
    for (const unknown of [elsewhere, randomUUID(), 'no id']) {
      expect(await conversations.mergeChoices({ id: unknown })).toEqual([]);
    }
  });

  test('exclude web chats that an unverified visitor could then read, with the reason and an alternative', async () => {
    const owner = { workspaceId: teammates.workspaceId, teammate: teammates.owner };
    const claimed = { channel: 'webchat', contactClaimed: true } as const;
    const [mail, chat, another, theirs] = [
      await makeConversation(owner),
      await makeConversation(owner, claimed),
      await makeConversation(owner, claimed),
      await makeConversation(await makeConnection(), claimed),
    ];
    const { conversations } = await asAgent();
    const problems = (id: string) =>
      conversations.mergeProblems({ id, intoIds: [mail, chat, another, theirs] });
    expect(await problems(mail)).toEqual({
      [chat]: expect.stringContaining('merge it into this one'),
      [another]: expect.stringContaining('merge it into this one'),
    });
    expect(await problems(chat)).toEqual({ [another]: expect.stringContaining('Reply to each') });
    for (const unknown of [theirs, randomUUID(), 'no id']) expect(await problems(unknown)).toEqual({});
  });
});
