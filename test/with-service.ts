import { afterAll, beforeAll } from 'vitest';
import { startTestService, type TestService } from '#test/service.ts';

/**
 * For a test file that needs the service: it is started before the file's tests and stopped after them.
 * @param settings environment variables besides the usual ones
 */
export function withTestService(settings: Record<string, string> = {}): { readonly url: string } {
  let service: TestService | undefined;
  beforeAll(async () => {
    service = await startTestService(settings);
  });
  afterAll(() => service?.stop());
  return {
    get url() {
      if (!service) throw new Error('The service is asked for before it runs.');
      return service.url;
    },
  };
}
