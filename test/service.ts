import type { AddressInfo } from 'node:net';
import { closeDatabase } from '#server/db.ts';
import { createHttpServer } from '#server/http/create-http-server.ts';
import { createTestDatabase } from '#test/database.ts';

/** The platform's credentials and addresses in tests. */
export const PLATFORM = {
  clientId: 'test-platform',
  clientSecret: 'test-platform-secret',
  returnUrl: 'https://platform.test/dashboard/auth/oauth/return/App1/',
  hooksHost: 'hooks.platform.test',
} as const;

export type TestService = { url: string; stop(): Promise<void> };

/**
 * Starts the HTTP server in this process on a fresh database, on a real socket. Screens are not built here:
 * in their place a page answers with what the server found out for it, as JSON.
 * @param settings environment variables besides the usual ones
 */
export async function startTestService(settings: Record<string, string> = {}): Promise<TestService> {
  const database = await createTestDatabase();
  Object.assign(process.env, {
    DATABASE_URL: database.url,
    // Known before the port is: cookies and redirects need only that it stays the same.
    BASE_URL: 'http://inbox.test',
    PLATFORM_CLIENT_ID: PLATFORM.clientId,
    PLATFORM_CLIENT_SECRET: PLATFORM.clientSecret,
    PLATFORM_RETURN_URL: PLATFORM.returnUrl,
    HOOKS_HOST: PLATFORM.hooksHost,
    SESSION_SECRET: 'a secret for tests that is long enough',
    TRUST_PROXY: '1',
    LOG_LEVEL: 'silent',
    ...settings,
  });
  const server = createHttpServer(async (_req, res, page) => {
    res.setHeader('Content-Type', 'application/json');
    res.end(JSON.stringify(page ?? null));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await closeDatabase();
      await database.drop();
    },
  };
}
