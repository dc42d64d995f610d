import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
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
