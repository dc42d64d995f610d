import type { AddressInfo } from 'node:net';
import { createHttpServer } from '#server/doors/http/create-http-server.ts';
import { closeDatabase, pool } from '#server/ground/db.ts';
import { createTestDatabase } from '#test/database.ts';
import { setTestSettings } from '#test/settings.ts';
import { refuseSecretsAtRest } from '#test/tables-with.ts';
import { watchAnswers } from '#test/watch-answers.ts';

export { PLATFORM } from '#test/settings.ts';

export type TestService = { url: string; stop(): Promise<void> };

/**
 * Starts the HTTP server in this process on a fresh database, on a real socket. Screens are not built here:
 * in their place a page answers with what the server found out for it, as JSON.
 * Every answer of the API is held against `openapi.json`; `stop` throws if one broke it, or if a code, a token or the
 * client secret stands in any table.
 * @param settings environment variables besides the usual ones, perhaps made from the database's address
 */
export async function startTestService(
  settings: Record<string, string> | ((databaseUrl: string) => Record<string, string>) = {},
): Promise<TestService> {
  const database = await createTestDatabase();
  const given = typeof settings === 'function' ? settings(database.url) : settings;
  setTestSettings({ DATABASE_URL: database.url, ...given });
  const server = createHttpServer(async (_req, res, page) => {
    res.setHeader('Content-Type', 'application/json');
    res.end(JSON.stringify(page ?? null));
  });
  const throwIfBroken = watchAnswers(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      const scan = await refuseSecretsAtRest(pool()).then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      await closeDatabase();
      await database.drop();
      throwIfBroken();
      if (scan) throw scan.error;
    },
  };
}
