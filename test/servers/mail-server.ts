import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A received mail: its envelope, raw text and parsed content. */
export type ReceivedMail = { from: string; to: string[]; raw: string; email: Email };

/**
 * Starts an SMTP server that accepts every mail by default. If the script in `respond` throws, the mail is
 * refused; its promise delays the response. `received` lists all mails, accepted or not.
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
        // A permanent failure, unless the error has another code.
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
    /** Scripts the responses from now on. Without a script, every mail is accepted. */
    respond: (script: typeof respond = () => {}) => {
      respond = script;
    },
    /** Refuses this recipient as unknown from now on. */
    refuse: (address: string) => {
      unknown.add(address);
    },
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
