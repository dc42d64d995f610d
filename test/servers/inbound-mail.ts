import nodemailer from 'nodemailer';
import { startSmtpListener } from '#server/smtp/start-smtp-listener.ts';

/** The service's own mail listener on a free port, and a mail server that brings it mail. */
export async function startInboundMail() {
  const listener = await startSmtpListener({ port: 0, host: '127.0.0.1' });
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: listener.port,
    name: 'mx.acme.test',
    tls: { rejectUnauthorized: false },
  });
  return {
    port: listener.port,
    connections: () => listener.connections(),
    /** Hands a mail over as another mail server does; rejects with what it is refused with. */
    send: (mail: { from?: string; to: string | string[]; raw: string | Buffer }) =>
      transport.sendMail({
        envelope: { from: mail.from ?? 'ada@acme.test', to: [mail.to].flat() },
        raw: mail.raw,
      }),
    stop: async () => {
      transport.close();
      await listener.stop();
    },
  };
}

/** A plain mail, line by line. */
export function rawMail(headers: Record<string, string>, body = 'Hello'): string {
  const given = { From: 'Ada Lovelace <ada@acme.test>', Subject: 'A question', ...headers };
  const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}\r\n`;
}
