import type { AddressInfo } from 'node:net';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { pool } from '#server/core/database/pools.ts';
import { closeDatabase } from '#server/core/database/prisma.ts';
import { flushPublished } from '#server/core/live/publish.ts';
import { settleRuns } from '#server/core/run-coalesced.ts';
import { createHttpServer, type ServerLimits } from '#server/http/create-http-server.ts';
import { auth } from '#server/teammates/auth.ts';
import { type PasswordHashing, passwordHashing } from '#server/teammates/passwords.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { setTestSettings } from '#test/servers/settings.ts';
import { refuseSecretsAtRest, startOfWrites } from '#test/servers/tables-with.ts';
import { watchResponses } from '#test/servers/watch-responses.ts';

export type TestService = { url: string; stop(): Promise<void> };

/** `reset` makes the service ready for the next test file. It checks what `stop` checks. */
export type ResettableService = TestService & { reset(): Promise<void> };

/**
 * Starts the HTTP server in this process on a migrated database, on a real socket. Screens are not built: in
 * their place, a page returns the server's data for it as JSON. Every API response is validated with
 * `openapi.json`. `stop` throws if a response broke it, or if a table contains a code, a token or the client
 * secret.
 * @param settings additional environment variables
 * @param limits replace the server's default limits
 */
export async function serveDatabase(
  databaseUrl: string,
  settings: Record<string, string> = {},
  limits: ServerLimits = {},
): Promise<ResettableService> {
  setTestSettings({ DATABASE_URL: databaseUrl, ...settings });
  const server = createHttpServer(async (_req, res, page) => {
    res.setHeader('Content-Type', 'application/json');
    res.end(JSON.stringify(page ?? null));
  }, limits);
  const throwIfBroken = watchResponses(server);
  await hashOnce();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  // A clone may have many rows already, which no test writes.
  const since = await startOfWrites(pool());
  return {
    url: `http://127.0.0.1:${port}`,
    reset: async () => {
      server.closeAllConnections();
      await settleRuns();
      await flushPublished();
      await refuseSecretsAtRest(pool(), since);
      await emptyTables(pool());
      throwIfBroken();
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      try {
        await refuseSecretsAtRest(pool(), since);
      } finally {
        await closeDatabase();
      }
      throwIfBroken();
    },
  };
}

/** Passwords hashed and compared in this process. Each takes a tenth of a second of processor time. */
const hashes = new Map<string, Promise<string>>();
const comparisons = new Map<string, Promise<boolean>>();

const remembering: PasswordHashing = {
  hash: (password) => remember(hashes, password, () => hashPassword(password)),
  verify: (given) => remember(comparisons, `${given.hash} ${given.password}`, () => verifyPassword(given)),
};

/**
 * Makes the service in this process hash and compare each password only once, with the real cost. The result
 * is cached, as tests sign in thousands of times with the same password. Waiting for a slot is not affected.
 */
async function hashOnce(): Promise<void> {
  const { password } = await auth().$context;
  Object.assign(password, passwordHashing(remembering));
}

function remember<T>(found: Map<string, Promise<T>>, key: string, find: () => Promise<T>): Promise<T> {
  const known = found.get(key) ?? find();
  found.set(key, known);
  return known;
}
