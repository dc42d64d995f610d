import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { removeMailbox } from '#server/administration/workspaces/mailboxes.ts';
import { db } from '#server/core/database/prisma.ts';
import { Refusal } from '#server/core/errors.ts';
import { publishedTopics } from '#test/fixtures/published-topics.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';

const test = screensTest
  .extend('teamId', async ({ workspaceId }) => {
    const { id } = await db().team.create({ data: { workspaceId, name: 'Billing' } });
    return id;
  })
  .extend('mailboxId', async ({ workspaceId }) => {
    const address = `billing-${randomUUID()}@visibility.test`;
    const { id } = await db().mailbox.create({ data: { workspaceId, name: 'Billing', address } });
    return id;
  })
  .extend('conversation', async ({ workspaceId, mailboxId }) => {
    const data = { workspaceId, mailboxId, channel: 'email', subject: 'Invoice' } as const;
    return (await db().conversation.create({ data })).id;
  })
  /** Limits the mailbox to the team. */
  .extend('limit', ({ screensOf, mailboxId, teamId }) => async (teamIds: string[] | null = [teamId]) => {
    const { visibility } = await screensOf('admin');
    await visibility.limitSource({ mailboxId, channelAccountId: null, teamIds });
  })
  .extend('sees', ({ screensOf, conversation }) => async (role: 'owner' | 'admin' | 'agent' | 'viewer') => {
    const opened = await (await screensOf(role)).conversations.get({ id: conversation });
    const { rows } = await (await screensOf(role)).inbox.list({});
    expect(rows.some(({ id }) => id === conversation)).toBe(opened !== null);
    return opened !== null;
  });

describe('a mailbox that is limited to a team', () => {
  test('is seen by its members, owners and admins, from the next request on', async ({
    limit,
    sees,
    screensOf,
    teamId,
    teammates: { agent },
  }) => {
    expect(await sees('agent')).toBe(true);
    await limit();
    expect([await sees('owner'), await sees('admin'), await sees('agent'), await sees('viewer')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const { teams } = await screensOf('owner');
    await teams.addMember({ id: teamId, userId: agent.id });
    expect(await sees('agent')).toBe(true);
    await teams.removeMember({ id: teamId, userId: agent.id });
    expect(await sees('agent')).toBe(false);
    await limit(null);
    expect([await sees('agent'), await sees('viewer')]).toEqual([true, true]);
  });

  test('stays limited when its last team is deleted, and cannot be removed', async ({
    limit,
    sees,
    screensOf,
    teamId,
    workspaceId,
    mailboxId,
    teammates: { owner },
  }) => {
    await limit();
    await (await screensOf('owner')).teams.delete({ id: teamId });
    expect(await sees('agent')).toBe(false);
    const { sources } = await (await screensOf('admin')).visibility.get();
    expect(sources.find((source) => source.mailboxId === mailboxId)?.teamIds).toEqual([]);
    await expect(removeMailbox({ workspaceId, mailboxId, by: owner })).rejects.toThrow(Refusal);
    await limit(null);
    await removeMailbox({ workspaceId, mailboxId, by: owner });
  });

  test('shows a conversation to its assignee, until it is assigned to someone else', async ({
    limit,
    sees,
    screensOf,
    conversation: id,
    teammates: { agent, owner },
  }) => {
    await limit();
    const { conversations } = await screensOf('owner');
    await conversations.update({ id, changes: { assigneeId: agent.id } });
    expect(await sees('agent')).toBe(true);
    await conversations.update({ id, changes: { assigneeId: owner.id } });
    expect(await sees('agent')).toBe(false);
  });
});

describe('a teammate who sees only what is assigned', () => {
  test('sees it by their team, and everything again after the change is undone', async ({
    sees,
    screensOf,
    teamId,
    conversation: id,
    teammates: { agent },
  }) => {
    const { visibility, teams, conversations } = await screensOf('owner');
    await visibility.setOnlyAssigned({ userId: agent.id, onlyAssigned: true });
    expect([await sees('agent'), await sees('viewer')]).toEqual([false, true]);
    await teams.addMember({ id: teamId, userId: agent.id });
    await conversations.update({ id, changes: { teamId } });
    expect(await sees('agent')).toBe(true);
    await conversations.update({ id, changes: { teamId: null } });
    expect(await sees('agent')).toBe(false);
    await visibility.setOnlyAssigned({ userId: agent.id, onlyAssigned: false });
    expect(await sees('agent')).toBe(true);
  });

  test('is an agent or a viewer', async ({ screensOf, teammates: { admin } }) => {
    const { visibility } = await screensOf('owner');
    await expect(visibility.setOnlyAssigned({ userId: admin.id, onlyAssigned: true })).rejects.toMatchObject({
      cause: { errors: { userId: [expect.any(String)] } },
    });
  });

  test('sees the conversation that they start', async ({ screensOf, teammates: { agent } }) => {
    await (await screensOf('owner')).visibility.setOnlyAssigned({ userId: agent.id, onlyAssigned: true });
    const { conversations } = await screensOf('agent');
    const started = { to_email: 'ada@example.com', to_name: '', subject: 'Hello', content: 'Hello' };
    const { id } = await conversations.create(started);
    expect(await conversations.get({ id })).not.toBeNull();
  });
});

test('the web chat is limited apart from its accounts', async ({ screensOf, workspaceId, teamId }) => {
  const { id } = await db().conversation.create({ data: { workspaceId, channel: 'webchat' } });
  const { visibility } = await screensOf('owner');
  await visibility.limitSource({ mailboxId: null, channelAccountId: null, teamIds: [teamId] });
  expect(await (await screensOf('agent')).conversations.get({ id })).toBeNull();
  const { conversations } = await screensOf('admin');
  expect(await conversations.get({ id })).not.toBeNull();
  const { teammates } = await conversations.readers({ id });
  expect(teammates.find(({ sees }) => !sees)?.why).toBe(
    'None of their teams sees the conversations of the web chat.',
  );
});

test('who can read a conversation is shown with the reason', async ({
  limit,
  screensOf,
  conversation: id,
  teammates: { agent, viewer },
}) => {
  const readers = async (role: 'owner' | 'agent') => (await screensOf(role)).conversations.readers({ id });
  const whyOf = async (userId: string) =>
    (await readers('owner')).teammates.find((each) => each.id === userId);
  expect(await readers('agent')).toMatchObject({ isLimited: false });
  expect(await whyOf(agent.id)).toMatchObject({
    sees: true,
    why: expect.stringMatching(/^Everyone sees the conversations of billing-/),
  });
  await limit();
  expect(await readers('owner')).toMatchObject({ isLimited: true });
  expect(await whyOf(viewer.id)).toMatchObject({
    sees: false,
    why: expect.stringMatching(/^None of their teams sees the conversations of billing-/),
  });
  await (await screensOf('owner')).conversations.update({ id, changes: { assigneeId: agent.id } });
  expect(await whyOf(agent.id)).toMatchObject({ sees: true, why: 'The conversation is assigned to them.' });
});

test('a deleted conversation can be read by owners and admins only, and the list of its readers says so', async ({
  screensOf,
  conversation: id,
}) => {
  const { removed, conversations } = await screensOf('owner');
  await removed.delete({ id });
  const { teammates, isLimited } = await conversations.readers({ id });
  expect(isLimited).toBe(true);
  expect(teammates.map(({ name, sees }) => [name.split(' ')[1], sees]).toSorted()).toEqual([
    ['Admin', true],
    ['Agent', false],
    ['Owen', true],
    ['Viewer', false],
  ]);
  expect(teammates.find((each) => !each.sees)?.why).toBe(
    'Only owners and admins read deleted conversations.',
  );
  const opened = async (role: 'admin' | 'agent') => (await screensOf(role)).conversations.get({ id });
  expect([await opened('admin'), await opened('agent')]).toEqual([expect.anything(), null]);
  const { conversations: ofAgent } = await screensOf('agent');
  await expect(ofAgent.readers({ id })).rejects.toThrow('not found');
});

test('a note says which mentioned teammates do not see its conversation, and does not reveal it to them', async ({
  limit,
  screensOf,
  conversation: id,
}) => {
  await limit();
  const { notes, conversations } = await screensOf('owner');
  const content = '@Aggie Agent and @Adam Admin, please look';
  expect(await notes.add({ conversationId: id, content })).toEqual({ unseenBy: ['Aggie Agent'] });
  const bell = async (role: 'admin' | 'agent') => (await (await screensOf(role)).notifications.list()).unread;
  expect([await bell('admin'), await bell('agent')]).toEqual([1, 0]);
  await limit(null);
  expect(await notes.add({ conversationId: id, content })).toEqual({ unseenBy: [] });
  expect(await bell('agent')).toBe(2);
  expect(await conversations.readers({ id })).toMatchObject({ isLimited: false });
});

test('open pages hear of every change of what teammates see', async ({
  limit,
  screensOf,
  workspaceId,
  teamId,
  teammates: { agent },
}) => {
  const { visibility, teams, teammates } = await screensOf('owner');
  const changes = [
    () => limit(),
    () => visibility.setOnlyAssigned({ userId: agent.id, onlyAssigned: true }),
    () => teams.addMember({ id: teamId, userId: agent.id }),
    () => teams.removeMember({ id: teamId, userId: agent.id }),
    () => teams.delete({ id: teamId }),
    () => teammates.setRole({ userId: agent.id, role: 'viewer' }),
  ];
  for (const change of changes) expect(await publishedTopics(workspaceId, change)).toContain('access');
});

test('a source or team of another workspace cannot be limited', async ({
  screensOf,
  workspaceId,
  mailboxId,
  teamId,
}) => {
  const { visibility } = await screensOf('owner');
  const limited = (
    source: { mailboxId: string | null; channelAccountId: string | null },
    teamIds: string[],
  ) => visibility.limitSource({ ...source, teamIds });
  await expect(limited({ mailboxId: randomUUID(), channelAccountId: null }, [])).rejects.toThrow();
  await expect(limited({ mailboxId: null, channelAccountId: randomUUID() }, [])).rejects.toThrow();
  await expect(limited({ mailboxId, channelAccountId: null }, [teamId, randomUUID()])).rejects.toThrow();
  expect(await db().limitedSource.count({ where: { workspaceId } })).toBe(0);
});

test('an account through which email arrives is no source, as its conversations belong to their mailboxes', async ({
  screensOf,
  workspaceId,
  teamId,
}) => {
  const credentials = Buffer.from('x');
  const data = {
    workspaceId,
    channel: 'email',
    externalId: randomUUID(),
    name: 'Posted email',
    credentials,
  } as const;
  const { id: channelAccountId } = await db().channelAccount.create({ data });
  const { visibility } = await screensOf('owner');
  expect((await visibility.get()).sources).not.toContainEqual(expect.objectContaining({ channelAccountId }));
  const limited = visibility.limitSource({ mailboxId: null, channelAccountId, teamIds: [teamId] });
  await expect(limited).rejects.toMatchObject({
    cause: { errors: { channelAccountId: [expect.stringMatching(/Limit the mailbox/)] } },
  });
  expect(await db().limitedSource.count({ where: { workspaceId } })).toBe(0);
});
