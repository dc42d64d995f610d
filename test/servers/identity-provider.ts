import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Adapter, type AdapterPayload, type Configuration, type JWK } from 'oidc-provider';

/** The person who signs in at the provider next, by their claims. */
export type Person = { sub: string } & Record<string, unknown>;

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

const CLIENT_ID = 'shared-inbox';

function newKey(): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' } as JWK;
}

/**
 * Starts an OpenID provider (`oidc-provider`) on a loopback socket, with one client. Whoever opens its sign-in page is signed in as
 * `person`, or refused when that is null.
 */
export async function startIdentityProvider(redirectUris: string[]) {
  const state = {
    person: null as Person | null,
    clientSecret: String(randomUUID()),
    key: newKey(),
    /** Requests by path. */
    requests: [] as string[],
    /** Answers instead of the provider, with a status, a body and headers. */
    instead: null as null | { path: string; status: number; body: string; headers?: Record<string, string> },
  };
  let handle: ReturnType<Provider['callback']> | undefined;
  const server = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost');
    state.requests.push(pathname);
    if (state.instead?.path === pathname) {
      res.writeHead(state.instead.status, state.instead.headers).end(state.instead.body);
    } else void handle?.(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  /** Applies the state, as after a restart of the provider. */
  const restart = () => {
    const provider = makeProvider(issuer, { ...state, redirectUris, findPerson: () => state.person });
    handle = provider.callback();
  };
  restart();
  return Object.assign(state, { issuer, clientId: CLIENT_ID, newKey, restart, stop: () => close(server) });
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

type Options = {
  clientSecret: string;
  key: JWK;
  redirectUris: string[];
  findPerson: () => Person | null;
};

function makeProvider(issuer: string, { clientSecret, key, redirectUris, findPerson }: Options) {
  const configuration: Configuration = {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: clientSecret,
        redirect_uris: redirectUris,
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    adapter: Rows,
    jwks: { keys: [key] },
    cookies: { keys: [randomUUID()] },
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub', 'amr', 'nbf', 'hd', 'xms_edov'],
      email: ['email', 'email_verified'],
      profile: ['name'],
    },
    features: { devInteractions: { enabled: false } },
    ttl: {
      IdToken: 300,
      Session: 3_600,
      Grant: 3_600,
      Interaction: 600,
      AuthorizationCode: 60,
      AccessToken: 300,
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, id) => {
      return { accountId: id, claims: () => ({ ...findPerson(), sub: id }) };
    },
    // Nobody is asked for consent.
    loadExistingGrant: async ({ oidc }) => {
      if (!oidc.session?.accountId || !oidc.client) return undefined;
      const grant = new oidc.provider.Grant({
        accountId: oidc.session.accountId,
        clientId: oidc.client.clientId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(issuer, configuration);
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/interaction/')) return next();
    const person = findPerson();
    const result = person
      ? { login: { accountId: person.sub, remember: false, ...amrOf(person) } }
      : { error: 'access_denied', error_description: 'The person may not use this application.' };
    const to = await provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission: false });
    ctx.redirect(to);
  });
  return provider;
}

/** Stores rows in this process until it ends, of all providers: their ids are random. */
class Rows implements Adapter {
  static readonly rows = new Map<string, AdapterPayload>();
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  async upsert(id: string, payload: AdapterPayload) {
    Rows.rows.set(`${this.#kind} ${id}`, payload);
  }

  async find(id: string) {
    return Rows.rows.get(`${this.#kind} ${id}`);
  }

  async findByUid(uid: string) {
    return [...Rows.rows.values()].find((row) => row.uid === uid);
  }

  async findByUserCode() {
    return undefined;
  }

  async consume(id: string) {
    const row = await this.find(id);
    if (row) row.consumed = Math.floor(Date.now() / 1_000);
  }

  async destroy(id: string) {
    Rows.rows.delete(`${this.#kind} ${id}`);
  }

  async revokeByGrantId(grantId: string) {
    for (const [key, row] of Rows.rows) if (row.grantId === grantId) Rows.rows.delete(key);
  }
}

/** The provider takes this claim from its sign-in page. */
function amrOf({ amr }: Person): { amr?: string[] } {
  return Array.isArray(amr) ? { amr: amr.map(String) } : {};
}
