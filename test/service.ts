import type { ServerLimits } from '#server/http/create-http-server.ts';
import { createTestDatabase } from '#test/database.ts';
import { serveDatabase, type TestService } from '#test/serve-database.ts';

export type { TestService } from '#test/serve-database.ts';
export { PLATFORM } from '#test/settings.ts';

/**
 * Starts the HTTP server in this process on a fresh database, which goes with it: see `serveDatabase`.
 * @param settings environment variables besides the usual ones, perhaps made from the database's address
 * @param limits what the server holds to instead of the usual times
 */
export async function startTestService(
  settings: Record<string, string> | ((databaseUrl: string) => Record<string, string>) = {},
  limits: ServerLimits = {},
): Promise<TestService> {
  const database = await createTestDatabase();
  const given = typeof settings === 'function' ? settings(database.url) : settings;
  const service = await serveDatabase(database.url, given, limits);
  return {
    url: service.url,
    stop: async () => {
      try {
        await service.stop();
      } finally {
        await database.drop();
      }
    },
  };
}
