import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail as the mail server got it: the envelope, and what is in it. */
export type ReceivedMail = { from: string; to: string[]; raw: string; email: Email };

/**
 * A real SMTP server that takes every mail, unless `respond` says otherwise: what it throws is the refusal, and what
 * it waits for keeps the sender waiting. `received` holds what came, taken or not.
 */
export async function startMailServer() {
  const received: ReceivedMail[] = [];
  let respond: (mail: ReceivedMail) => void | Promise<void> = () => {};
  const unknown = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, callback) {
      if (!unknown.has(address)) return callback();
      callback(Object.assign(new Error('No such user'), { responseCode: 550 }));
    },
    async onData(stream, { envelope: { mailFrom, rcptTo } }, callback) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const raw = Buffer.concat(chunks).toString();
      const mail = {
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        raw,
        email: await PostalMime.parse(raw),
      };
      received.push(mail);
      try {
        await respond(mail);
        callback();
      } catch (error) {
        // For good, unless it says otherwise.
        const refusal = error instanceof Error ? error : new Error(String(error));
        callback('responseCode' in refusal ? refusal : Object.assign(refusal, { responseCode: 550 }));
      }
    },
  });
  const port = await new Promise<number>((resolve) => {
    const listener = server.listen(0, '127.0.0.1', () => {
      const address = listener.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    /** Scripts the responses from now on; without a script, every mail is taken. */
    respond: (script: typeof respond = () => {}) => {
      respond = script;
    },
    /** Knows no such recipient from now on. */
    refuse: (address: string) => {
      unknown.add(address);
    },
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
