import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startReceiver } from '#test/receiver.ts';
import { PLATFORM, startTestService, type TestService } from '#test/service.ts';
import { startWorker } from '#worker/start-worker.ts';

type Parts = {
  receiver: Awaited<ReturnType<typeof startReceiver>>;
  service: TestService;
  worker: Awaited<ReturnType<typeof startWorker>>;
};

/**
 * For a test file about deliveries: service, worker and a receiver that answers 200, with retries at once.
 * Before each test the receiver has forgotten what it got and how it was to answer.
 * @param settings environment variables besides the usual ones
 * @returns what asks for the parts once they run
 */
export function withDeliveryService(settings: Record<string, string> = {}): () => Parts {
  let parts: Parts | undefined;
  const running = () => {
    if (!parts) throw new Error('The service is asked for before it runs.');
    return parts;
  };

  beforeAll(async () => {
    const receiver = await startReceiver(PLATFORM.hooksHost);
    const service = await startTestService({
      HOOKS_CONNECT_TO: receiver.connectTo,
      HOOKS_CA_FILE: receiver.caFile,
      DELIVERY_RETRY_DELAYS: '0,0,0,0',
      ...settings,
    });
    parts = { receiver, service, worker: await startWorker() };
  });
  beforeEach(() => {
    running().receiver.received.length = 0;
    running().receiver.respond(() => ({ status: 200 }));
  });
  afterAll(async () => {
    await running().worker.stop();
    await running().service.stop();
    await running().receiver.stop();
  });
  return running;
}
