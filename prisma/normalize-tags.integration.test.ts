import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { projectPath } from '#server/core/project.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { test } from '#test/fixtures/service-test.ts';

const COMPOSED = 'café';
const DECOMPOSED = COMPOSED.normalize('NFD');
const MIGRATION = projectPath('prisma', 'migrations', '20261125083000_normalize_tags', 'migration.sql');

test('the migration joins tags that differ only in their normalization form', async ({
  api,
  connection,
  conversation: id,
}) => {
  const { workspaceId } = connection;
  await db().conversationTag.deleteMany({ where: { conversationId: id } });
  await api('POST', `/conversations/${id}/tags`, { tags: ['first', 'second'] });
  // Rows as they were written before the migration.
  const rename = (table: string, column: string, where = '') =>
    pool().query(
      `update ${table} set ${column} = case ${column} when 'first' then $1 else $2 end
       where workspace_id = $3 and ${column} in ('first', 'second') ${where}`,
      [DECOMPOSED, COMPOSED, workspaceId],
    );
  for (const table of ['conversation_tags', 'tagging_tags']) {
    await rename(table, 'key');
    await rename(table, 'name');
  }
  await rename('samples', 'filter');
  const hook = await makeHook(connection, { event: 'conversation.tagged' });
  await db().hook.update({ where: { id: hook.id }, data: { tag: DECOMPOSED, filterKey: DECOMPOSED } });
  await db().event.updateMany({ where: { workspaceId }, data: { filterValues: [DECOMPOSED, 'vip'] } });

  const sql = await readFile(MIGRATION, 'utf8');
  for (let run = 0; run < 2; run += 1) await pool().query(sql);

  const where = { workspaceId };
  const kept = { key: COMPOSED, name: DECOMPOSED };
  expect(await db().conversationTag.findMany({ where })).toMatchObject([kept]);
  expect(await db().taggingTag.findMany({ where })).toMatchObject([kept]);
  expect(await db().sample.findMany({ where: { ...where, filter: { not: '' } } })).toMatchObject([
    { filter: COMPOSED },
  ]);
  expect(await db().hook.findUniqueOrThrow({ where: { id: hook.id } })).toMatchObject({
    tag: DECOMPOSED,
    filterKey: COMPOSED,
  });
  const events = await db().event.findMany({ where: { ...where, key: 'conversation.tagged' } });
  expect(events.map(({ filterValues }) => filterValues)).toEqual([[COMPOSED, 'vip']]);
  const { body } = await api('POST', `/conversations/${id}/tags`, { tags: [COMPOSED, DECOMPOSED] });
  expect(body).toMatchObject({ tags: [DECOMPOSED] });
});
