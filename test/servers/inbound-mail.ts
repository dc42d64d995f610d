import { connect } from 'node:net';
import nodemailer from 'nodemailer';
import { SMTP_LIMITS, type SmtpLimits } from '#server/smtp/smtp-sessions.ts';
import { startSmtpListener } from '#server/smtp/start-smtp-listener.ts';

/**
 * Starts the service's mail listener on a free port, and a mail client that delivers to it.
 * @param limits override those of the listener
 */
export async function startInboundMail({
  host = '127.0.0.1',
  limits,
}: {
  host?: string;
  limits?: Partial<SmtpLimits>;
} = {}) {
  const listener = await startSmtpListener({ port: 0, host, limits: { ...SMTP_LIMITS, ...limits } });
  const transport = nodemailer.createTransport({
    host,
    port: listener.port,
    name: 'mx.acme.test',
    tls: { rejectUnauthorized: false },
  });
  return {
    port: listener.port,
    connections: () => listener.connections(),
    /** Delivers a mail as another mail server does. Rejects if the mail is refused. */
    send: (mail: { from?: string; to: string | string[]; raw: string | Buffer }) =>
      transport.sendMail({
        envelope: { from: mail.from ?? 'ada@acme.test', to: [mail.to].flat() },
        raw: mail.raw,
      }),
    /** Sends the bytes of a mail unchanged, because nodemailer would repair line endings. */
    sendVerbatim: ({ from = 'ada@acme.test', to, raw }: { from?: string; to: string; raw: string }) =>
      sendVerbatim(listener.port, [
        'EHLO mx.acme.test',
        `MAIL FROM:<${from}>`,
        `RCPT TO:<${to}>`,
        'DATA',
        `${raw}\r\n.`,
        'QUIT',
      ]),
    stop: async () => {
      transport.close();
      await listener.stop();
    },
  };
}

/** Sends each command after the previous one was accepted. */
async function sendVerbatim(port: number, commands: string[]): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1');
  let unread = '';
  const rest = [...commands];
  for await (const piece of socket) {
    unread += piece;
    const response = /^(?:\d{3}-.*\r\n)*(\d{3}) .*\r\n$/.exec(unread);
    if (!response) continue;
    if (Number(response[1]) >= 400) throw new Error(`The server refused the mail: ${unread}`);
    unread = '';
    const next = rest.shift();
    if (next !== undefined) socket.write(`${next}\r\n`);
  }
  if (rest.length > 0) throw new Error('The server closed the connection.');
}

/** Returns a plain text mail with these headers. */
export function rawMail(headers: Record<string, string>, body = 'Hello'): string {
  const given = { From: 'Ada Lovelace <ada@acme.test>', Subject: 'A question', ...headers };
  const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}\r\n`;
}
