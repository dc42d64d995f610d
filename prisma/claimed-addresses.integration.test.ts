import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { projectPath } from '#server/core/project.ts';
import { test } from '#test/fixtures/service-test.ts';

const MIGRATION = projectPath('prisma', 'migrations', '20261125123606_claimed_addresses', 'migration.sql');

test('the migration separates claimed conversations from the contacts whose address was claimed', async ({
  connection: { workspaceId },
}) => {
  const now = new Date();
  const add = (contactId: string, contactClaimed: boolean, createdAt = new Date(0)) =>
    db().conversation.create({
      data: { workspaceId, contactId, contactClaimed, channel: 'webchat', createdAt },
    });
  const ada = await db().contact.create({ data: { workspaceId, email: 'ada@example.com' } });
  const bob = await db().contact.create({ data: { workspaceId, email: 'bob@example.com', createdAt: now } });
  const adas = await add(ada.id, false);
  const impostor = await add(ada.id, true);
  const bobs = await add(bob.id, true, now);
  const visitor = { workspaceId, contactId: ada.id, contactClaimed: true };
  const [writing, silent] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  await db().visitor.create({ data: { ...visitor, tokenHash: writing, conversationId: impostor.id } });
  await db().visitor.create({ data: { ...visitor, tokenHash: silent } });

  const sql = await readFile(MIGRATION, 'utf8');
  const client = await pool().connect();
  try {
    await client.query('begin');
    await client.query(sql.slice(sql.indexOf('-- A contact that was created')));
    await client.query('commit');
  } finally {
    client.release();
  }

  const contactOf = async (id: string) =>
    (await db().conversation.findUniqueOrThrow({ where: { id }, include: { contact: true } })).contact;
  expect(await contactOf(adas.id)).toMatchObject({
    id: ada.id,
    email: 'ada@example.com',
    claimedEmail: null,
  });
  expect(await contactOf(bobs.id)).toMatchObject({
    id: bob.id,
    email: null,
    claimedEmail: 'bob@example.com',
  });
  const separate = await contactOf(impostor.id);
  expect(separate).toMatchObject({ email: null, claimedEmail: 'ada@example.com' });
  expect(separate?.id).not.toBe(ada.id);
  expect(await db().visitor.findUniqueOrThrow({ where: { tokenHash: writing } })).toMatchObject({
    contactId: separate?.id,
    contactClaimed: true,
  });
  expect(await db().visitor.findUniqueOrThrow({ where: { tokenHash: silent } })).toMatchObject({
    contactId: null,
    contactClaimed: false,
  });
});
