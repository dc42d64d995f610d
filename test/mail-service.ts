import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type ReceivedMail, startMailServer } from '#test/mail-server.ts';
import { startTestService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';
import { startWorker } from '#worker/start-worker.ts';

type Parts = {
  mail: Awaited<ReturnType<typeof startMailServer>>;
  service: TestService;
  worker: Awaited<ReturnType<typeof startWorker>>;
};

/**
 * For a test file about mail of the service itself: service, worker and a mail server that takes everything. Mails that
 * are sent one after the other wait for each other no longer than for their turn. Before each test the mail server has
 * forgotten what it got and how it was to answer.
 * @param settings environment variables besides the usual ones
 */
export function withMailService(settings: Record<string, string> = {}) {
  let parts: Parts | undefined;
  const running = () => {
    if (!parts) throw new Error('The service is asked for before it runs.');
    return parts;
  };
  const mailsTo = (address: string): ReceivedMail[] =>
    running().mail.received.filter(({ to }) => to.includes(address));

  beforeAll(async () => {
    const mail = await startMailServer();
    const service = await startTestService({ SMTP_URL: mail.url, ...settings });
    parts = { mail, service, worker: await startWorker(undefined, { mailPollMs: 50 }) };
  });
  beforeEach(() => {
    running().mail.received.length = 0;
    running().mail.respond();
  });
  afterAll(async () => {
    await running().worker.stop();
    await running().service.stop();
    await running().mail.stop();
  });
  return {
    get url() {
      return running().service.url;
    },
    /** Scripts how the mail server answers from now on. */
    respond: (script: Parameters<Parts['mail']['respond']>[0]) => running().mail.respond(script),
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
