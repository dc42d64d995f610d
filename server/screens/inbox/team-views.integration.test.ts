import { expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { readPlan } from '#test/database/read-plan.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeWorkspace } from '#test/fixtures/factories.ts';
import { makeInboxReader } from '#test/fixtures/inbox-reader.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('inbox', ({ service }) => makeInboxReader(service.url));

test('the sidebar has the teammate’s own teams first, and leaves out deleted and other workspaces’ teams', async ({
  inbox: { workspaceId, reader, teamId, screens },
}) => {
  const add = async (name: string, columns: { deletedAt?: Date; workspaceId?: string } = {}) =>
    (await db().team.create({ data: { workspaceId, name, ...columns } })).id;
  const [sales] = [await add('Sales'), await add('Accounts'), await add('Old', { deletedAt: new Date() })];
  await add('Elsewhere', { workspaceId: (await makeWorkspace()).id });
  await db().teamMember.createMany({
    data: [sales, teamId].map((id) => ({ workspaceId, teamId: id, userId: reader.id })),
  });
  const { teams } = await (await screens()).inbox.viewCounts();
  expect(teams.map(({ name }) => name)).toEqual(['Billing', 'Sales', 'Accounts']);
});

test('up to 20 teams are counted up to 99 in one statement, which reads no more conversations', async ({
  inbox: { workspaceId, teamId, screens },
}) => {
  await db().team.createMany({
    data: Array.from({ length: 24 }, (_, n) => ({ workspaceId, name: `Team ${10 + n}` })),
  });
  await pool().query(
    `insert into conversations (id, workspace_id, channel, team_id, last_message_at, updated_at)
     select gen_random_uuid(), $1, 'email', t.id, now() - n * interval '1 minute', now()
     from teams t, generate_series(1, case when t.id = $2 then 99 else 400 end) n where t.workspace_id = $1`,
    [workspaceId, teamId],
  );
  await pool().query('vacuum analyze conversations');
  const { inbox } = await screens();
  const [statement, ...others] = await statementsOf(async () => {
    const { teams } = await inbox.viewCounts();
    expect(teams).toHaveLength(20);
    expect(teams[0]).toEqual({ id: teamId, name: 'Billing', open: { count: 99, more: false } });
    expect(teams[1]?.open).toEqual({ count: 99, more: true });
  });
  expect(others).toEqual([]);
  if (!statement) throw new Error('No statement was sent.');
  const { scanned, rows } = await readPlan(statement);
  expect(scanned).not.toContain('conversations');
  // Up to 1,000 for each of the views Unassigned and All, and 100 for each team.
  expect(rows).toBeLessThan(4_500);
});
