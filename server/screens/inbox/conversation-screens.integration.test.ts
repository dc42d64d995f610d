import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';

withTestService();
type Ask = Awaited<ReturnType<typeof signInTeammate>>;
type Screens = Awaited<ReturnType<Ask>>;

let teammates: Teammates;
let asAgent: Ask;
let asViewer: Ask;
let elsewhere: string;
beforeAll(async () => {
  teammates = await makeTeammates();
  asAgent = await signInTeammate(teammates.agent);
  asViewer = await signInTeammate(teammates.viewer);
  const other = await makeTeammates();
  elsewhere = await makeConversation({ workspaceId: other.workspaceId, teammate: other.owner });
});

/** Assigned to the owner, with the tag Shipping. */
let id: string;
let intoId: string;
beforeEach(async () => {
  const stage = { workspaceId: teammates.workspaceId, teammate: teammates.owner };
  id = await makeConversation(stage);
  intoId = await makeConversation(stage);
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

/** Everything that changes a conversation, each of which would succeed. */
const ACTS: [string, (screens: Screens, which: string) => Promise<unknown>][] = [
  [
    'a status',
    ({ conversations }, which) => conversations.update({ id: which, changes: { status: 'solved' } }),
  ],
  [
    'a priority',
    ({ conversations }, which) => conversations.update({ id: which, changes: { priority: 'urgent' } }),
  ],
  [
    'an assignee',
    ({ conversations }, which) => conversations.update({ id: which, changes: { assigneeId: null } }),
  ],
  ['a team', ({ conversations }, which) => conversations.update({ id: which, changes: { teamId: null } })],
  ['a tag', ({ conversations }, which) => conversations.addTags({ id: which, tags: ['VIP'] })],
  [
    'a tag taken away',
    ({ conversations }, which) => conversations.removeTags({ id: which, tags: ['shipping'] }),
  ],
  ['a merge', ({ conversations }, which) => conversations.merge({ id: which, intoId })],
];

describe('by role', () => {
  test.each(ACTS)('an agent makes %s, in their own name', async (_what, act) => {
    await act(await asAgent(), id);
    const [entry] = await entries();
    expect(entry).toMatchObject({
      actorKind: 'teammate',
      actorId: teammates.agent.id,
      actorName: 'Aggie Agent',
    });
  });

  test.each(ACTS)('a viewer who asks for %s is refused, and nothing changes', async (_what, act) => {
    const before = await row();
    await expect(act(await asViewer(), id)).rejects.toMatchObject({ cause: { refusal: 'forbidden' } });
    expect(await row()).toEqual(before);
    expect([await entries(), await tagsOf()]).toEqual([[], ['Shipping']]);
  });

  test.each(ACTS)('of another workspace’s conversation %s is not found', async (_what, act) => {
    const before = await row(elsewhere);
    await expect(act(await asAgent(), elsewhere)).rejects.toMatchObject({ cause: { refusal: 'not_found' } });
    expect(await row(elsewhere)).toEqual(before);
  });

  test('a viewer cannot start a conversation and is offered no contacts to choose', async () => {
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

  test('an agent is offered everyone who can take conversations, and the teams', async () => {
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

describe('changes that are not possible', () => {
  test('nothing leaves closed, and the sentence says so', async () => {
    const { conversations } = await asAgent();
    await conversations.update({ id, changes: { status: 'closed' } });
    expect((await conversations.get({ id }))?.conversation).toMatchObject({ nextStatuses: [] });
    await expect(conversations.update({ id, changes: { status: 'open' } })).rejects.toThrow(
      'a closed conversation stays closed',
    );
  });

  test('a conversation cannot be assigned to a viewer, a stranger or what is no id', async () => {
    const { conversations } = await asAgent();
    for (const assigneeId of [teammates.viewer.id, randomUUID(), 'somebody']) {
      await expect(conversations.update({ id, changes: { assigneeId } })).rejects.toThrow(
        'must be a teammate',
      );
    }
    expect((await row()).assigneeId).toBe(teammates.owner.id);
  });

  test('a merged conversation changes no more, and shows where it went', async () => {
    const { conversations } = await asAgent();
    await conversations.merge({ id, intoId });
    for (const [, act] of ACTS) await expect(act(await asAgent(), id)).rejects.toThrow('was merged');
    const view = (await conversations.get({ id }))?.conversation;
    expect(view?.mergedInto).toEqual({ id: intoId, title: 'Order' });
    expect(view?.items).toMatchObject([{ kind: 'entry', other: { id: intoId, title: 'Order' } }]);
    expect((await conversations.get({ id: intoId }))?.conversation.items).toMatchObject([
      { other: { id, title: 'Order' } },
    ]);
  });
});

describe('tags', () => {
  test('are removed without regard to case, which the thread shows and no event reports', async () => {
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

  test('that it does not have change nothing', async () => {
    const before = await row();
    await (await asAgent()).conversations.removeTags({ id, tags: ['unknown'] });
    expect(await row()).toEqual(before);
    expect(await entries()).toEqual([]);
  });

  test('two teammates who take the same one away at once do so once', async () => {
    const { conversations } = await asAgent();
    await Promise.all([1, 2, 3].map(() => conversations.removeTags({ id, tags: ['Shipping'] })));
    expect(await entries()).toHaveLength(1);
  });

  test('of more than forty characters are refused by the rule of the API', async () => {
    const { conversations } = await asAgent();
    await expect(conversations.addTags({ id, tags: ['x'.repeat(41)] })).rejects.toThrow(
      'at most 40 characters',
    );
    await expect(conversations.addTags({ id, tags: [' '] })).rejects.toThrow('send at least one');
    expect(await tagsOf()).toEqual(['Shipping']);
  });

  test('in use are offered once each in alphabetical order, those of other workspaces never', async () => {
    const { workspaceId, owner } = await makeTeammates();
    const ask = await signInTeammate(owner);
    expect(await (await ask()).conversations.tags()).toEqual([]);
    const stage = { workspaceId, teammate: owner };
    for (const tags of [
      ['vip', 'Returns'],
      ['VIP', 'billing'],
    ]) {
      await (await ask()).conversations.addTags({ id: await makeConversation(stage), tags });
    }
    const offered = await (await ask()).conversations.tags();
    expect(offered.map((tag) => tag.toLowerCase())).toEqual(['billing', 'returns', 'shipping', 'vip']);
  });
});

describe('merging offers', () => {
  test('the other conversations of the same contact, newest first, without merged ones and tests', async () => {
    const stage = { workspaceId: teammates.workspaceId, teammate: teammates.owner };
    const { id: contactId } = await makeContact(teammates.workspaceId);
    const of = (columns: object) => makeConversation(stage, { contactId, ...columns });
    const older = await of({ lastMessageAt: new Date('2026-01-03T00:00:00Z') });
    const newer = await of({ lastMessageAt: new Date('2026-01-04T00:00:00Z'), status: 'closed' });
    await of({ isTest: true });
    await of({ mergedIntoId: newer });
    const asked = await of({});
    const { conversations } = await asAgent();
    const choices = await conversations.mergeChoices({ id: asked });
    expect(choices.map((choice) => choice.id)).toEqual([newer, older]);
    expect(choices[0]).toMatchObject({ subject: 'Order', contactName: 'Ada Lovelace', status: 'closed' });
    for (const unknown of [elsewhere, randomUUID(), 'no id']) {
      expect(await conversations.mergeChoices({ id: unknown })).toEqual([]);
    }
  });

  test('no web chat in which an unverified visitor would read on, and says why and what is possible', async () => {
    const stage = { workspaceId: teammates.workspaceId, teammate: teammates.owner };
    const claimed = { channel: 'webchat', contactClaimed: true } as const;
    const [mail, chat, another, theirs] = [
      await makeConversation(stage),
      await makeConversation(stage, claimed),
      await makeConversation(stage, claimed),
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
