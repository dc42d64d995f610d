import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { inBulk } from '#test/database/in-bulk.ts';
import { readingOf } from '#test/database/read-plan.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import type { InboxFilter } from '#test/fixtures/inbox-reader.ts';
import { test as largeTest } from '#test/fixtures/large-workspace-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';

// A limited view reads few rows of a large team, also where statistics say that most teams are small.

/** The inbox of an agent who sees only the conversations of a team that has most of a busy workspace. */
const test = largeTest.extend('inbox', { scope: 'file' }, async ({ busy: { workspaceId, teamOf } }) => {
  const teamId = await teamOf('Billing');
  await inBulk(async (bulk) => {
    await bulk.$executeRaw`
      update conversations set team_id = ${teamId}::uuid where workspace_id = ${workspaceId}::uuid and team_id is null`;
    // As among many workspaces, each with teams and teammates.
    await bulk.$executeRaw`alter table conversations alter workspace_id set (n_distinct = 5000),
      alter team_id set (n_distinct = 1000), alter assignee_id set (n_distinct = 1000)`;
    await bulk.$executeRaw`analyze conversations`;
  });
  const { id: userId, email } = await makeUser('Lea Limited', { workspaceId, role: 'agent' });
  await db().member.updateMany({ where: { workspaceId, userId }, data: { onlyAssigned: true } });
  await db().teamMember.create({ data: { workspaceId, teamId, userId } });
  return (await signInTeammate({ email }))().then(({ inbox }) => inbox);
});

test.for(['team_id', 'assignee_id'])(
  'PostgreSQL expects more than a few conversations with an unknown %s, although most workspaces are small',
  async (column, { inbox: _ }) => {
    // With few rows expected, it may read all of a team and sort them instead of using the index of the inbox.
    const [plan] = await db().$queryRawUnsafe<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }[]>(`
      explain (format json) select from conversations
      where workspace_id = (select gen_random_uuid()) and ${column} = (select gen_random_uuid())`);
    expect(plan?.['QUERY PLAN'][0]?.Plan['Plan Rows']).toBeGreaterThan(5);
  },
);

test.for<InboxFilter>([
  {},
  { status: 'open' },
  { assignee: 'unassigned' },
  { channel: 'email' },
  { active: '30d' },
])('a page of %j, and its tab counts, read few rows', async (filter, { inbox }) => {
  expect((await inbox.list(filter)).rows.length).toBeGreaterThan(0);
  const page = await readingOf(() => inbox.list(filter));
  expect(page.scanned).not.toContain('conversations');
  // Of filters that no index answers the first 1,000 are read.
  expect(page.rows).toBeLessThan(2_500);
  const { status: _status, ...counted } = filter ?? {};
  const counts = await readingOf(() => inbox.counts(counted));
  expect(counts.scanned).not.toContain('conversations');
  expect(counts.rows).toBeLessThan(1_500);
});

test('the numbers beside views, and the tags to filter by, read few rows', async ({ inbox }) => {
  const { all, teams } = await inbox.viewCounts();
  expect(all).toEqual({ count: 250, more: true });
  expect(teams[0]).toMatchObject({ name: 'Billing', open: { count: 99, more: true } });
  const read = await readingOf(async () => {
    await inbox.viewCounts();
    await inbox.filterChoices();
  });
  expect(read.scanned).not.toContain('conversations');
  expect(read.rows).toBeLessThan(7_000);
});
