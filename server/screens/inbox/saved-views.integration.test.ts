import { expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';

/** The screens of an agent and of the owner. */
const test = screensTest
  .extend('agent', ({ screensOf }) => screensOf('agent'))
  .extend('owner', ({ screensOf }) => screensOf('owner'));

test('a private view is listed for its teammate only, a shared one for everybody', async ({
  agent,
  owner,
}) => {
  await agent.savedViews.add({ name: ' Mine ', isShared: false, filters: { assignee: 'me', order: 'due' } });
  await owner.savedViews.add({ name: 'Ours', isShared: true, filters: { status: 'open' } });
  expect((await agent.inbox.viewCounts()).saved).toMatchObject([
    { name: 'Mine', isShared: false, mayEdit: true, filters: { assignee: 'me', order: 'due' } },
    { name: 'Ours', isShared: true, mayEdit: false, filters: { status: 'open' } },
  ]);
  expect((await owner.inbox.viewCounts()).saved).toMatchObject([{ name: 'Ours', mayEdit: true }]);
});

test('views are listed by name, independently of case, with numbers by value', async ({ agent, owner }) => {
  for (const name of ['View 10', 'view 2', 'Urgent']) {
    await agent.savedViews.add({ name, isShared: false, filters: {} });
  }
  await owner.savedViews.add({ name: 'apples', isShared: true, filters: {} });
  const { saved } = await agent.inbox.viewCounts();
  expect(saved.map(({ name }) => name)).toEqual(['apples', 'Urgent', 'view 2', 'View 10']);
});

test('a view is renamed and deleted', async ({ agent }) => {
  const { id } = await agent.savedViews.add({ name: 'Old', isShared: false, filters: {} });
  await agent.savedViews.rename({ id, name: 'New' });
  expect((await agent.inbox.viewCounts()).saved).toMatchObject([{ id, name: 'New' }]);
  await agent.savedViews.delete({ id });
  expect((await agent.inbox.viewCounts()).saved).toEqual([]);
});

test('an agent can neither share a view nor change a shared one', async ({ agent, owner }) => {
  const filters = { status: 'open' as const };
  await expect(agent.savedViews.add({ name: 'Ours', isShared: true, filters })).rejects.toThrow(
    'Only owners and admins',
  );
  const { id } = await owner.savedViews.add({ name: 'Ours', isShared: true, filters });
  await expect(agent.savedViews.rename({ id, name: 'Theirs' })).rejects.toThrow('Only owners and admins');
  await expect(agent.savedViews.delete({ id })).rejects.toThrow('Only owners and admins');
  expect((await owner.inbox.viewCounts()).saved).toMatchObject([{ name: 'Ours' }]);
});

test('another teammate’s private view is not found', async ({ agent, owner }) => {
  const { id } = await agent.savedViews.add({ name: 'Mine', isShared: false, filters: {} });
  await expect(owner.savedViews.rename({ id, name: 'Theirs' })).rejects.toThrow('The view was not found');
  await expect(owner.savedViews.delete({ id })).rejects.toThrow('The view was not found');
});

test.for([
  ['', 'must not be empty'],
  ['x'.repeat(61), 'at most 60 characters'],
] as const)('the name %j is refused', async ([name, problem], { agent }) => {
  await expect(agent.savedViews.add({ name, isShared: false, filters: {} })).rejects.toThrow(problem);
});

test('names of views, saved replies and folders have no characters that reorder or hide text', async ({
  agent,
}) => {
  const typed = { name: 'Invoice\u202efdp.exe', isShared: false };
  await agent.savedViews.add({ ...typed, filters: {} });
  const { id } = await agent.savedReplies.add({
    name: typed.name,
    folder: '\u2066Billing\u2069',
    content: 'Hi',
    isPrivate: true,
    files: [],
  });
  expect((await agent.inbox.viewCounts()).saved).toMatchObject([{ name: 'Invoice fdp.exe' }]);
  const { replies } = await agent.savedReplies.get({});
  expect(replies).toMatchObject([{ id, name: 'Invoice fdp.exe', folder: 'Billing' }]);
  await expect(agent.savedViews.add({ name: '\u202e', isShared: false, filters: {} })).rejects.toThrow(
    'empty',
  );
});

test('simultaneous calls cannot exceed 20 private views', async ({ agent }) => {
  const add = (n: number) => agent.savedViews.add({ name: `View ${n}`, isShared: false, filters: {} });
  const all = await Promise.allSettled(Array.from({ length: 23 }, (_, n) => add(n)));
  expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(3);
  await expect(add(24)).rejects.toThrow('You can have up to 20 views. Delete one first.');
});

test('every filter is counted, up to 99, and a search without words counts nothing', async ({
  agent,
  connection,
  workspaceId,
}) => {
  const id = await makeConversation(connection, { status: 'open', priority: 'high', subject: 'Parcel' });
  await makeConversation(connection, { status: 'pending' });
  await pool().query(
    `insert into conversation_tags (conversation_id, workspace_id, name, key) values ($1, $2, 'VIP', 'vip')`,
    [id, workspaceId],
  );
  const of = { conversationId: id, workspaceId, content: 'Broken grinder' };
  await db().message.create({ data: { ...of, direction: 'inbound', authorKind: 'contact' } });
  await db().note.create({ data: { ...of, authorKind: 'teammate', content: 'Refund' } });
  await db().contact.updateMany({ where: { workspaceId }, data: { lastName: 'Nowak' } });
  const counted = [
    [{}, 2],
    [{ status: 'open' }, 1],
    [{ status: 'open', priority: 'high', tag: 'vip' }, 1],
    [{ priority: 'low' }, 0],
    [{ assignee: 'unassigned' }, 0],
    [{ verified: 'yes' }, 2],
    [{ created: 'over-30d', active: '30d' }, 2],
    [{ sla: 'overdue' }, 0],
    [{ unread: 'yes', search: '?' }, 0],
    [{ tag: 'VIP' }, 1],
    [{ tag: 'Other' }, 0],
    [{ search: 'parcel' }, 1],
    [{ search: 'broken grinder' }, 1],
    [{ search: 'refund' }, 1],
    [{ search: 'nowak' }, 2],
    [{ search: 'parcel refund' }, 0],
    [{ search: 'refund', tag: 'vip', status: 'pending' }, 0],
  ] as const;
  for (const [n, [filters]] of counted.entries()) {
    await agent.savedViews.add({ name: `View ${String(n).padStart(2, '0')}`, isShared: false, filters });
  }
  const { saved } = await agent.inbox.viewCounts();
  const folded = await agent.inbox.foldedCounts();
  // The navigation shows eight, and counts the others once they are unfolded.
  expect(Object.keys(folded)).toHaveLength(counted.length - 8);
  const counts = saved.map(({ id: view, found }) => (folded[view] ?? found).count);
  expect(counts).toEqual(counted.map(([, count]) => count));
});

test('teammates who look at the same time share counts, and each sees what was saved before', async ({
  agent,
  owner,
  connection,
}) => {
  await owner.savedViews.add({ name: 'Open', isShared: true, filters: { status: 'open' } });
  let saved = 0;
  const saveAndLook = async (screens: typeof agent) => {
    await makeConversation(connection, { status: 'open' });
    saved += 1;
    const atLeast = saved;
    const [view] = (await screens.inbox.viewCounts()).saved;
    expect(view?.found.count).toBeGreaterThanOrEqual(atLeast);
  };
  await Promise.all(Array.from({ length: 20 }, (_, n) => saveAndLook(n % 2 === 0 ? agent : owner)));
  const statements = await statementsOf(() =>
    Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? agent : owner).inbox.viewCounts())),
  );
  expect(statements.filter(({ text }) => text.includes('json_build_array')).length).toBeLessThan(10);
});
