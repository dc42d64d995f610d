import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { asciiEmail } from '#server/core/email-domain.ts';
import { projectPath } from '#server/core/project.ts';
import { test } from '#test/fixtures/service-test.ts';

const MIGRATION = projectPath(
  'prisma',
  'migrations',
  '20261127121000_ascii_domains_of_addresses',
  'migration.sql',
);

test('the migration writes domains in ASCII like the service, and merges no contacts', async ({
  connection: { workspaceId },
}) => {
  const domains = [
    'müller.example',
    'bücher.shop.example',
    '例え.テスト',
    'пример.рф',
    'faß.example',
    'ünïcödé-ünd-möre.example',
    '😀.example',
  ];
  const contacts = await Promise.all(
    domains.map((domain) => db().contact.create({ data: { workspaceId, email: `info@${domain}` } })),
  );
  const both = ['eva@köln.example', 'eva@xn--kln-sna.example'];
  for (const email of both) await db().contact.create({ data: { workspaceId, email } });
  const visitor = await db().contact.create({ data: { workspaceId, claimedEmail: 'vi@köln.example' } });
  const blocked = { workspaceId, kind: 'address', value: 'spam@köln.example', createdByName: 'Ada' } as const;
  const { id } = await db().blockedSender.create({ data: blocked });

  const client = await pool().connect();
  try {
    await client.query(await readFile(MIGRATION, 'utf8'));
  } finally {
    client.release(true);
  }

  for (const contact of contacts) {
    const { email } = await db().contact.findUniqueOrThrow({ where: { id: contact.id } });
    expect(email).toBe(asciiEmail(contact.email ?? ''));
  }
  const evas = await db().contact.findMany({ where: { workspaceId, email: { startsWith: 'eva@' } } });
  expect(evas.map(({ email }) => email).toSorted()).toEqual(both.toSorted());
  expect(await db().contact.findUniqueOrThrow({ where: { id: visitor.id } })).toMatchObject({
    claimedEmail: 'vi@xn--kln-sna.example',
  });
  expect(await db().blockedSender.findUniqueOrThrow({ where: { id } })).toMatchObject({
    value: 'spam@xn--kln-sna.example',
  });
});
