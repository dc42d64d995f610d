import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startMailServer } from '#test/mail-server.ts';
import { startTestService, type TestService } from '#test/service.ts';

type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/**
 * For a test file about mails that the service sends at once: service and mail server. Before each test the mail server
 * has forgotten what it got and how it was to answer. `withMailService` has a worker besides.
 * @param settings environment variables besides the usual ones
 */
export function withMailServer(settings: Record<string, string> = {}) {
  let parts: { mail: MailServer; service: TestService } | undefined;
  const running = () => {
    if (!parts) throw new Error('The service is asked for before it runs.');
    return parts;
  };
  beforeAll(async () => {
    const mail = await startMailServer();
    parts = { mail, service: await startTestService({ SMTP_URL: mail.url, ...settings }) };
  });
  beforeEach(() => {
    running().mail.received.length = 0;
    running().mail.respond();
  });
  afterAll(async () => {
    await running().service.stop();
    await running().mail.stop();
  });
  return {
    service: {
      get url() {
        return running().service.url;
      },
    },
    mail: {
      get url() {
        return running().mail.url;
      },
      /** What came, taken or not. */
      get received() {
        return running().mail.received;
      },
      /** Scripts the responses from now on; without a script, every mail is taken. */
      respond: (script?: Parameters<MailServer['respond']>[0]) => running().mail.respond(script),
      /** Knows no such recipient from now on. */
      refuse: (address: string) => running().mail.refuse(address),
    },
  };
}
