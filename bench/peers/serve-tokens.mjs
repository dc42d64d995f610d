import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

// Shared by the programs that serve POST /oauth/token for comparison: the pool, the platform as the only
// client, and the creation of codes and refresh tokens.

// The service's copy of pg, whose statements are counted.
const pg = createRequire(new URL('../../package.json', import.meta.url))('pg');

/** Same number of connections as in the service. */
export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

/** The platform, which authenticates with its secret in the form. */
export const CLIENT = {
  id: process.env.CLIENT_ID,
  secret: process.env.CLIENT_SECRET,
  redirectUri: process.env.REDIRECT_URI,
};
export const ACCESS_TOKEN_SECONDS = 7200;
export const CODE_SECONDS = 600;

/** Number of codes or tokens to create in parallel. */
const CONCURRENCY = 20;

/**
 * @param listener handles requests
 * @param make creates and stores one of each, as an approval does: a code with this challenge (S256), a
 *     refresh token
 */
export function serveTokens(listener, { makeCode, makeRefreshToken }) {
  const makers = {
    codes: async () => {
      const verifier = randomBytes(32).toString('base64url');
      const code = await makeCode(createHash('sha256').update(verifier).digest('base64url'));
      return { code, verifier };
    },
    refreshTokens: makeRefreshToken,
  };
  process.on('message', async (order) => {
    if (order.make === undefined) return;
    const made = [];
    while (made.length < order.count) {
      const next = Math.min(CONCURRENCY, order.count - made.length);
      made.push(...(await Promise.all(Array.from({ length: next }, makers[order.make]))));
    }
    process.send(made);
  });
  const server = createServer(listener);
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.on('SIGTERM', () => process.exit(0));
}
