import { expect, it } from 'vitest';
import { createDatabaseBefore } from '#test/database-before.ts';

const ONE_TOKEN = '20261122223126_one_access_token_a_connection';
/** But for the last digit. */
const ID = '00000000-0000-7000-8000-00000000000';

it('of the tokens of a connection the one that works goes on working, or the one that did when it ended', async () => {
  const database = await createDatabaseBefore(ONE_TOKEN);
  const { client } = database;
  try {
    await client.query(`
      insert into workspaces (id, name, plan) values ('${ID}1', 'Acme', 'growth');
      insert into users (id, name, email, email_verified, updated_at) values ('${ID}1', 'Olivia', 'o@acme.test', true, now());
      insert into members (workspace_id, user_id, role) values ('${ID}1', '${ID}1', 'owner');
      insert into integrations (id, workspace_id, kind, name) values ('${ID}1', '${ID}1', 'automation', 'Platform');
      insert into connections
        (id, workspace_id, user_id, integration_id, teammate_name, teammate_email, ended_at, end_reason)
      select id::uuid, '${ID}1', '${ID}1', '${ID}1', name, 'o@acme.test', ended_at::timestamptz,
        case when ended_at is not null then 'disconnected'::connection_end end
      from (values ('${ID}1', 'active', null), ('${ID}2', 'ended', '2026-11-20'), ('${ID}3', 'waiting', null))
        as c (id, name, ended_at);
      insert into access_tokens (token_hash, connection_id, expires_at, revoked_at)
      values ('replaced', '${ID}1', now(), '2026-11-19'),
        ('working', '${ID}1', now(), null),
        ('replaced before', '${ID}2', now(), '2026-11-19'),
        ('worked', '${ID}2', now(), '2026-11-20')`);

    await database.migrate();
    const { rows } = await client.query(`
      select teammate_name as name, convert_from(access_token_hash, 'utf8') as token from connections order by id`);
    expect(rows).toEqual([
      { name: 'active', token: 'working' },
      { name: 'ended', token: 'worked' },
      { name: 'waiting', token: null },
    ]);
    expect((await client.query('select from access_tokens')).rowCount).toBe(4);
  } finally {
    await database.drop();
  }
});
