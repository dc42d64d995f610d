import { randomBytes } from 'node:crypto';
import OAuth2Server from '@node-oauth/oauth2-server';
import { ACCESS_TOKEN_SECONDS, CLIENT, CODE_SECONDS, pool, serveTokens } from './serve-tokens.mjs';

// @node-oauth/oauth2-server with a model on PostgreSQL: prepared statements, and a transaction where more
// than one row is written. As in the service, a refresh doesn't replace the refresh token.
await pool.query(`
  create table oauth_clients (id text primary key, secret text not null, redirect_uri text not null);
  create table oauth_codes (
    code text primary key, client_id text not null references oauth_clients, user_id text not null, redirect_uri text not null,
    challenge text not null, challenge_method text not null, expires_at timestamptz not null
  );
  create table oauth_access_tokens (
    token text primary key, client_id text not null references oauth_clients, user_id text not null,
    expires_at timestamptz not null
  );
  create table oauth_refresh_tokens (
    token text primary key, client_id text not null references oauth_clients, user_id text not null
  )`);
await pool.query('insert into oauth_clients values ($1, $2, $3)', [
  CLIENT.id,
  CLIENT.secret,
  CLIENT.redirectUri,
]);

const execute = (name, text, values, on = pool) => on.query({ name, text, values });
const GRANTS = ['authorization_code', 'refresh_token'];

const insertAccessToken = (token, client, user, on) =>
  execute(
    'insert-access',
    'insert into oauth_access_tokens values ($1, $2, $3, $4)',
    [token.accessToken, client.id, user.id, token.accessTokenExpiresAt],
    on,
  );

async function inTransaction(work) {
  const connection = await pool.connect();
  try {
    await connection.query('begin');
    await work(connection);
    await connection.query('commit');
  } catch (error) {
    await connection.query('rollback');
    throw error;
  } finally {
    connection.release();
  }
}

const model = {
  async getClient(id, secret) {
    const text = 'select id, secret, redirect_uri from oauth_clients where id = $1';
    const [client] = (await execute('client', text, [id])).rows;
    if (!client || (secret !== null && client.secret !== secret)) return false;
    return { id: client.id, grants: GRANTS, redirectUris: [client.redirect_uri] };
  },
  async getAuthorizationCode(code) {
    const [found] = (await execute('code', 'select * from oauth_codes where code = $1', [code])).rows;
    if (!found) return false;
    return {
      authorizationCode: found.code,
      expiresAt: found.expires_at,
      redirectUri: found.redirect_uri,
      codeChallenge: found.challenge,
      codeChallengeMethod: found.challenge_method,
      client: { id: found.client_id },
      user: { id: found.user_id },
    };
  },
  async revokeAuthorizationCode({ authorizationCode }) {
    const text = 'delete from oauth_codes where code = $1';
    return (await execute('spend-code', text, [authorizationCode])).rowCount === 1;
  },
  async getRefreshToken(token) {
    const [found] = (await execute('refresh', 'select * from oauth_refresh_tokens where token = $1', [token]))
      .rows;
    return found
      ? { refreshToken: found.token, client: { id: found.client_id }, user: { id: found.user_id } }
      : false;
  },
  async revokeToken({ refreshToken }) {
    const text = 'delete from oauth_refresh_tokens where token = $1';
    return (await execute('revoke', text, [refreshToken])).rowCount === 1;
  },
  async saveToken(token, client, user) {
    if (token.refreshToken === undefined) await insertAccessToken(token, client, user);
    else {
      await inTransaction(async (on) => {
        await insertAccessToken(token, client, user, on);
        const text = 'insert into oauth_refresh_tokens values ($1, $2, $3)';
        await execute('insert-refresh', text, [token.refreshToken, client.id, user.id], on);
      });
    }
    return { ...token, client, user };
  },
};

const oauth = new OAuth2Server({
  model,
  accessTokenLifetime: ACCESS_TOKEN_SECONDS,
  alwaysIssueNewRefreshToken: false,
});

async function respond(req, res) {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  const body = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
  const request = new OAuth2Server.Request({ headers: req.headers, method: req.method, query: {}, body });
  const response = new OAuth2Server.Response({});
  await oauth.token(request, response).catch(() => undefined);
  res.writeHead(response.status, { ...response.headers, 'content-type': 'application/json' });
  res.end(JSON.stringify(response.body));
}

const newToken = () => randomBytes(32).toString('hex');

serveTokens(respond, {
  async makeCode(challenge) {
    const code = newToken();
    await pool.query(
      'insert into oauth_codes values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))',
      [code, CLIENT.id, newToken(), CLIENT.redirectUri, challenge, 'S256', CODE_SECONDS],
    );
    return code;
  },
  async makeRefreshToken() {
    const token = newToken();
    await pool.query('insert into oauth_refresh_tokens values ($1, $2, $3)', [token, CLIENT.id, newToken()]);
    return token;
  },
});
