import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { Provider } from 'oidc-provider';
import { ACCESS_TOKEN_SECONDS, CLIENT, CODE_SECONDS, pool, serveTokens } from './serve-tokens.mjs';

// oidc-provider with an adapter on PostgreSQL: one table for all its models, with prepared statements. As in
// the service, tokens are opaque, the platform authenticates with its secret, PKCE is required, and a refresh
// doesn't replace the refresh token.
await pool.query(`
  create table oidc_models (
    model text, id text, payload jsonb not null, grant_id text, expires_at timestamptz, consumed_at timestamptz,
    primary key (model, id)
  );
  create index on oidc_models (grant_id)`);

const execute = (name, text, values) => pool.query({ name, text, values });

class Adapter {
  constructor(model) {
    this.model = model;
  }
  async upsert(id, payload, expiresIn) {
    const text = `insert into oidc_models (model, id, payload, grant_id, expires_at)
      values ($1, $2, $3, $4, now() + make_interval(secs => $5))
      on conflict (model, id) do update
      set payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at`;
    await execute('upsert', text, [this.model, id, payload, payload.grantId ?? null, expiresIn ?? null]);
  }
  async find(id) {
    const text = 'select payload, expires_at, consumed_at from oidc_models where model = $1 and id = $2';
    const [found] = (await execute('find', text, [this.model, id])).rows;
    if (!found || (found.expires_at && found.expires_at <= new Date())) return undefined;
    return { ...found.payload, ...(found.consumed_at ? { consumed: true } : {}) };
  }
  async consume(id) {
    await execute('consume', 'update oidc_models set consumed_at = now() where model = $1 and id = $2', [
      this.model,
      id,
    ]);
  }
  async destroy(id) {
    await execute('destroy', 'delete from oidc_models where model = $1 and id = $2', [this.model, id]);
  }
  async revokeByGrantId(grantId) {
    await execute('revoke', 'delete from oidc_models where grant_id = $1', [grantId]);
  }
  async findByUid() {}
  async findByUserCode() {}
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const SCOPE = 'offline_access';
const provider = new Provider('http://127.0.0.1', {
  adapter: Adapter,
  clients: [
    {
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: [CLIENT.redirectUri],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  issueRefreshToken: () => true,
  rotateRefreshToken: false,
  pkce: { required: () => true },
  routes: { token: '/oauth/token' },
  ttl: {
    AccessToken: ACCESS_TOKEN_SECONDS,
    AuthorizationCode: CODE_SECONDS,
    RefreshToken: 86_400,
    Grant: 86_400,
  },
  features: { devInteractions: { enabled: false } },
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
  cookies: { keys: [randomUUID()] },
});

/** Creates the grant of an approval and the fields that refer to it. */
async function approved() {
  const client = await provider.Client.find(CLIENT.id);
  const accountId = randomUUID();
  const grant = new provider.Grant({ accountId, clientId: CLIENT.id });
  grant.addOIDCScope(SCOPE);
  return {
    accountId,
    client,
    grantId: await grant.save(),
    scope: SCOPE,
    authTime: Math.floor(Date.now() / 1000),
  };
}

serveTokens(provider.callback(), {
  async makeCode(codeChallenge) {
    const details = { codeChallenge, codeChallengeMethod: 'S256', redirectUri: CLIENT.redirectUri };
    return new provider.AuthorizationCode({ ...(await approved()), ...details }).save();
  },
  async makeRefreshToken() {
    return new provider.RefreshToken({ ...(await approved()), gty: 'authorization_code' }).save();
  },
});
