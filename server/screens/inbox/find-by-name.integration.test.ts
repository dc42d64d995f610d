import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { test } from '#test/fixtures/screens-test.ts';
import { addTeammate, makeTeammates, type Teammates } from '#test/fixtures/teammates.ts';

test('finds teammates by any word of the name, those with the most words first', async ({
  screensOf,
  teammates: { workspaceId },
}) => {
  await addTeammate(workspaceId, 'agent', 'Adam Baker');
  const { inbox } = await screensOf('viewer');
  const { teammates } = await inbox.findByName({ query: 'assign ADAM bak' });
  expect(teammates.map(({ name }) => name)).toEqual(['Adam Baker', 'Adam Admin']);
  expect((await inbox.findByName({ query: 'nobody\0' })).teammates).toEqual([]);
});

test('a viewer is found and cannot be assigned', async ({ screensOf, teammates: { viewer, owner } }) => {
  const { inbox } = await screensOf('agent');
  const { teammates } = await inbox.findByName({ query: '' });
  expect(teammates).toHaveLength(4);
  expect(teammates.find(({ id }) => id === viewer.id)?.isAssignable).toBe(false);
  expect(teammates.find(({ id }) => id === owner.id)?.isAssignable).toBe(true);
});

test('finds teams without deleted ones, and nothing of another workspace', async ({
  screensOf,
  workspaceId,
}) => {
  const other = await makeTeammates();
  await db().team.createMany({
    data: [
      { workspaceId, name: 'Billing' },
      { workspaceId, name: 'Billing of old', deletedAt: new Date() },
      { workspaceId: other.workspaceId, name: 'Billing elsewhere' },
    ],
  });
  await tag(other, ['billing']);
  const { inbox } = await screensOf('agent');
  expect(await inbox.findByName({ query: 'bill' })).toMatchObject({ teams: [{ name: 'Billing' }], tags: [] });
  const theirs = await (await screensOf('owner', other)).inbox.findByName({ query: 'admin' });
  expect(theirs.teammates.map(({ id }) => id)).toEqual([other.admin.id]);
});

test('returns at most 8 of each kind', async ({ screensOf, workspaceId, teammates }) => {
  for (let n = 0; n < 6; n += 1) await addTeammate(workspaceId, 'agent', `Ada ${n}`);
  await db().team.createMany({ data: names('Team').map((name) => ({ workspaceId, name })) });
  await tag(teammates, names('tag'));
  const { inbox } = await screensOf('agent');
  const found = await inbox.findByName({ query: '' });
  expect([found.teammates.length, found.teams.length, found.tags.length]).toEqual([8, 8, 8]);
});

test('finds tags that start with the text before those that contain it', async ({ screensOf, teammates }) => {
  await tag(teammates, ['Not VIP', 'vip', 'VIP gold', 'other']);
  const { inbox } = await screensOf('agent');
  expect((await inbox.findByName({ query: 'Vip' })).tags).toEqual(['vip', 'VIP gold', 'Not VIP']);
  expect((await inbox.findByName({ query: 'VIP g' })).tags).toEqual(['VIP gold']);
});

test('finds a tag after the first 500 by its start', async ({ screensOf, teammates }) => {
  await tag(teammates, [...Array.from({ length: 520 }, (_, n) => `a${n}`), 'zebra']);
  const { inbox } = await screensOf('agent');
  expect((await inbox.findByName({ query: 'zeb' })).tags).toEqual(['zebra']);
});

test('finds a tag by its start among many that other collations sort in between', async ({
  screensOf,
  teammates,
}) => {
  await tag(teammates, [...Array.from({ length: 600 }, (_, n) => `vip${n}`), 'vip-zone']);
  const { inbox } = await screensOf('agent');
  expect((await inbox.findByName({ query: 'VIP-' })).tags).toEqual(['vip-zone']);
  const [{ collation } = { collation: null }] = await db().$queryRaw<{ collation: string | null }[]>`
    select collation_name as collation from information_schema.columns
    where table_name = 'conversation_tags' and column_name = 'key'`;
  expect(collation).toBe('C');
});

/** Adds tags to a new conversation. */
async function tag({ workspaceId, owner }: Teammates, tags: string[]): Promise<void> {
  const conversationId = await makeConversation({ workspaceId, teammate: owner });
  await db().conversationTag.createMany({
    data: tags.map((name) => ({ workspaceId, conversationId, key: name.toLowerCase(), name })),
  });
}

function names(prefix: string): string[] {
  return Array.from({ length: 10 }, (_, n) => `${prefix} ${n}`);
}
