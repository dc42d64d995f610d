import pg from 'pg';
import { fillConversations } from '#prisma/demo-conversations/fill-conversations.ts';
import { digest, newSecret } from '#server/core/secrets.ts';
import { makeWorkspace } from '#test/fixtures/factories.ts';
import { PLATFORM } from '#test/servers/settings.ts';

/** Tokens of one of the platform's connections. */
export type BenchConnection = { accessToken: string; refreshToken: string };

/** A large workspace with enough connections that none of them reaches a rate limit. */
export type RequestStage = {
  workspaceId: string;
  connections: BenchConnection[];
  /** Ids of open conversations, each of a different contact. */
  conversations: string[];
  emails: string[];
};

const TEAMMATES = 512;
const CHOSEN = 2_000;

/**
 * Fills a workspace and connects it.
 * @param url a migrated database without a workspace
 * @param conversations number of conversations to create
 */
export async function fillStage(url: string, conversations: number): Promise<RequestStage> {
  const { id: workspaceId } = await makeWorkspace({ plan: 'scale', name: 'Large' });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set synchronous_commit = off');
    await client.query('set session_replication_role = replica');
    // The same conversations each time: a small workspace could be drawn without an open one.
    await client.query('select setseed(0.1)');
    await fillConversations(client, { workspaceId, count: conversations, onProgress: () => {} });
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
  return connectStage(url, workspaceId);
}

/** Connects a filled workspace for many teammates. Removes connections of an earlier run. */
export async function connectStage(url: string, workspaceId: string): Promise<RequestStage> {
  const connections = Array.from({ length: TEAMMATES }, () => ({
    accessToken: newSecret('kza_'),
    refreshToken: newSecret('kzr_'),
  }));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `insert into integrations (id, workspace_id, kind, name) values ($1, $1, 'automation', 'Automation')
       on conflict do nothing`,
      [workspaceId],
    );
    await client.query('delete from connections where workspace_id = $1', [workspaceId]);
    await client.query(
      `with made as (
         insert into users (id, name, email, email_verified, created_at, updated_at)
         select gen_random_uuid(), 'Teammate ' || n, 't' || n || '@bench.test', true, now(), now()
         from generate_series(1, $2::int) n
         on conflict (email) do update set updated_at = now()
         returning id, email
       ), numbered as (
         select substring(email from '[0-9]+')::int as n, id as user_id, gen_random_uuid() as connection_id from made
       ), joined as (
         insert into members (workspace_id, user_id, role, updated_at)
         select $1, user_id, 'admin', now() from numbered
         on conflict do nothing
       ), connected as (
         insert into connections
           (id, workspace_id, user_id, integration_id, teammate_name, teammate_email, exchanged_at, last_used_at,
            live_token_times)
         select connection_id, $1, user_id, $1, 'Teammate ' || n, 't' || n || '@bench.test', now(), now(), array[now()]
         from numbered
       ), refreshing as (
         insert into refresh_tokens (token_hash, connection_id)
         select ($4::bytea[])[n], connection_id from numbered
       )
       insert into access_tokens (token_hash, connection_id, expires_at)
       select ($3::bytea[])[n], connection_id, now() + interval '2 hours' from numbered`,
      [
        workspaceId,
        TEAMMATES,
        connections.map(({ accessToken }) => Buffer.from(digest(accessToken))),
        connections.map(({ refreshToken }) => Buffer.from(digest(refreshToken))),
      ],
    );
    for (const table of ['users', 'members', 'connections', 'access_tokens', 'refresh_tokens']) {
      await client.query(`analyze ${table}`);
    }
    const { rows } = await client.query<{ id: string; email: string }>(
      `select distinct on (k.email) c.id, k.email from conversations c join contacts k on k.id = c.contact_id
       where c.workspace_id = $1 and c.status = 'open' and k.email is not null and c.channel <> 'webchat'
       order by k.email, c.id limit $2`,
      [workspaceId, CHOSEN],
    );
    if (rows.length === 0)
      throw new Error('The workspace has no open conversation of a contact with an address.');
    return {
      workspaceId,
      connections,
      conversations: rows.map(({ id }) => id),
      emails: rows.map(({ email }) => email),
    };
  } finally {
    await client.end();
  }
}

/**
 * Restores the first access tokens of the stage's connections, as the tokens issued by refreshes are not
 * known here.
 * @param url the database
 */
export async function restoreAccess(url: string, { connections }: RequestStage): Promise<void> {
  const digests = (tokens: string[]) => tokens.map((token) => Buffer.from(digest(token)));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `update connections c set live_token_times = array[t.created_at] from access_tokens t
       where t.token_hash = any($1) and c.id = t.connection_id`,
      [digests(connections.map(({ accessToken }) => accessToken))],
    );
  } finally {
    await client.end();
  }
}

/** A code with its PKCE verifier. */
export type IssuedCode = { code: string; verifier: string };

/** Creates codes to exchange, each of a separate pending connection. */
export async function makeCodes(
  url: string,
  { workspaceId }: RequestStage,
  count: number,
): Promise<IssuedCode[]> {
  const codes = Array.from({ length: count }, () => ({ code: newSecret('kzc_'), verifier: newSecret() }));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `with chosen as (
         select row_number() over () as n, user_id from members where workspace_id = $1 limit 512
       ), numbered as (
         select g.n, c.user_id, gen_random_uuid() as connection_id
         from generate_series(1, $2::int) g (n) join chosen c on c.n = g.n % 512 + 1
       ), connected as (
         insert into connections (id, workspace_id, user_id, integration_id, teammate_name, teammate_email)
         select connection_id, $1, user_id, $1, 'Teammate', 't@bench.test' from numbered
       )
       insert into authorization_codes
         (code_hash, connection_id, redirect_uri, code_challenge, challenge_method, expires_at)
       select ($3::bytea[])[n], connection_id, $5, ($4::text[])[n], 'S256', now() + interval '10 minutes'
       from numbered`,
      [
        workspaceId,
        count,
        codes.map(({ code }) => Buffer.from(digest(code))),
        codes.map(({ verifier }) => Buffer.from(digest(verifier)).toString('base64url')),
        PLATFORM.returnUrl,
      ],
    );
    return codes;
  } finally {
    await client.end();
  }
}
