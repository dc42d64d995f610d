import { afterAll, beforeAll } from 'vitest';
import type { ReceivedMail } from '#test/mail-server.ts';
import { until } from '#test/until.ts';
import { withMailServer } from '#test/with-mail-server.ts';
import { startWorker } from '#worker/start-worker.ts';

/**
 * For a test file about mail of the service itself: service and mail server, as `withMailServer` has them, and a worker.
 * Mails that are sent one after the other wait for each other no longer than for their turn.
 * @param settings environment variables besides the usual ones
 */
export function withMailService(settings: Record<string, string> = {}) {
  const { service, mail } = withMailServer(settings);
  let worker: Awaited<ReturnType<typeof startWorker>> | undefined;
  beforeAll(async () => {
    worker = await startWorker(undefined, { mailPollMs: 50 });
  });
  afterAll(() => worker?.stop());
  const mailsTo = (address: string): ReceivedMail[] => mail.received.filter(({ to }) => to.includes(address));
  return {
    get url() {
      return service.url;
    },
    respond: mail.respond,
    mailsTo,
    /** Waits for the mail that makes so many to an address. */
    mailTo: (address: string, count = 1): Promise<ReceivedMail> =>
      until(`mail ${count} to ${address} came`, () => mailsTo(address)[count - 1]),
  };
}

/** The token of the link in a mail. Throws when there is none. */
export function tokenIn({ email }: ReceivedMail): string {
  const token = /[?&]token=([^\s&]+)/.exec(email.text ?? '')?.[1];
  if (token === undefined) throw new Error(`There is no link in this mail:\n${email.text}`);
  return decodeURIComponent(token);
}
