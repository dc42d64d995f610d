import { expect, it } from 'vitest';
import { createDatabaseBefore } from '#test/database-before.ts';

const STORED_FILES = '20261122012946_stored_files';

it('carries the files of messages over into pieces, to the byte', async () => {
  const database = await createDatabaseBefore(STORED_FILES);
  const { client } = database;
  try {
    const sizes = [0, 1, 262_144, 262_145, 700_000];
    // Attachments alone matter here: their messages are left out.
    await client.query('set session_replication_role = replica');
    await client.query(`
      insert into workspaces (id, name, plan) values ('00000000-0000-7000-8000-000000000001', 'A', 'growth')`);
    const insert = `
      insert into attachments (id, workspace_id, message_id, name, content_type, size_bytes, content)
      select gen_random_uuid(), '00000000-0000-7000-8000-000000000001', gen_random_uuid(), $1::text, 'text/plain', $1::int,
        convert_to(left(repeat(md5($1::text), 30000), $1::int), 'utf8')`;
    for (const size of sizes) await client.query(insert, [size]);
    const before = await client.query('select id, name, md5(content) from attachments order by id');

    await database.migrate();
    const after = await client.query(`
      select id, name, (
        select md5(string_agg(content, '' order by position)) from file_chunks where file_id = attachments.id
      ) as md5 from attachments order by id`);
    expect(after.rows).toEqual(before.rows);
    const { rows } = await client.query(`
      select size_bytes as size, store, expires_at as expiry, workspace_id is not null as owned,
        (select count(*)::int from file_chunks where file_id = id) as chunks
      from stored_files order by size_bytes`);
    const kept = { store: 'database', expiry: null, owned: true };
    expect(rows).toEqual(
      sizes.map((size) => ({ ...kept, size, chunks: Math.max(1, Math.ceil(size / 262_144)) })),
    );
  } finally {
    await database.drop();
  }
});
