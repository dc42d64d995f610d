import { afterAll, beforeAll } from 'vitest';
import type { ServerLimits } from '#server/http/create-http-server.ts';
import { startTestService, type TestService } from '#test/service.ts';

/**
 * For a test file that needs the service: it is started before the file's tests and stopped after them.
 * @param settings environment variables besides the usual ones
 * @param limits what the server holds to instead of the usual times
 */
export function withTestService(
  settings: Record<string, string> = {},
  limits: ServerLimits = {},
): { readonly url: string } {
  let service: TestService | undefined;
  beforeAll(async () => {
    service = await startTestService(settings, limits);
  });
  afterAll(() => service?.stop());
  return {
    get url() {
      if (!service) throw new Error('The service is asked for before it runs.');
      return service.url;
    },
  };
}
