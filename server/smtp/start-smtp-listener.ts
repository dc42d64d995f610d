import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { generate } from 'selfsigned';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { db } from '#server/core/database/db.ts';
import { settings } from '#server/core/env.ts';
import { takeFrom } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { findRecipient, type MailRecipient } from '#server/inbox/incoming-mail/find-recipient.ts';
import { MAIL_MAX_BYTES, RECIPIENTS_MAX } from '#server/inbox/mail-parser/mail-limits.ts';
import { respond, smtpRefusal, takeMail } from '#server/smtp/accept-mail.ts';

/** Connections at once, in all and of one address. */
const CONNECTIONS_MAX = 100;
const CONNECTIONS_PER_ADDRESS_MAX = 20;
/** Without a word for so long a connection is closed; however busy, after so long too. In milliseconds. */
const IDLE_MS = 60_000;
const CONNECTION_MAX_MS = 10 * 60_000;
/** Commands without a mail in a connection: a mail to very many recipients has one for each of them. */
const COMMANDS_MAX = 10 * RECIPIENTS_MAX;
/** Mails under way may take so long when the server ends, in milliseconds. */
const DRAIN_MS = 20_000;

type SmtpListener = {
  port: number;
  /** How many connections are open. */
  connections: () => number;
  /** Takes no new connections, and lets mails under way finish. */
  stop: () => Promise<void>;
};

const UNKNOWN = '5.1.1 There is no such mailbox here';
const TOO_MANY = '4.5.3 A mail can have 1,000 recipients at most; send it to the others in another one';
const HURRIED = '4.7.0 Too much mail from your address; try again in a minute';

/** What is known of a connection besides what the library knows. */
type Visit = { recipients: Map<string, MailRecipient>; timer: NodeJS.Timeout };

/**
 * Listens for mail of contacts on a port (RFC 5321). A mail is kept before it is answered with 250, and worked off by a
 * job. Recipients that are no one's are refused when they are named, so that no mail is taken that would have to be sent
 * back.
 */
export async function startSmtpListener({
  port,
  host,
}: {
  port: number;
  host?: string | undefined;
}): Promise<SmtpListener> {
  const visits = new Map<string, Visit>();
  const perAddress = new Map<string, number>();
  const server = new SMTPServer({
    ...(await smtpCertificate()),
    banner: 'Ready',
    authOptional: true,
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    logger: false,
    size: MAIL_MAX_BYTES,
    maxClients: CONNECTIONS_MAX,
    maxAllowedUnauthenticatedCommands: COMMANDS_MAX,
    socketTimeout: IDLE_MS,
    closeTimeout: DRAIN_MS,
    onConnect(session, callback) {
      const count = (perAddress.get(session.remoteAddress) ?? 0) + 1;
      if (count > CONNECTIONS_PER_ADDRESS_MAX)
        return callback(smtpRefusal(421, '4.7.0 Too many connections'));
      perAddress.set(session.remoteAddress, count);
      const timer = setTimeout(() => closeConnection(session.id), CONNECTION_MAX_MS);
      timer.unref();
      visits.set(session.id, { recipients: new Map(), timer });
      callback();
    },
    onClose(session) {
      const visit = visits.get(session.id);
      if (!visit) return;
      clearTimeout(visit.timer);
      visits.delete(session.id);
      const left = (perAddress.get(session.remoteAddress) ?? 1) - 1;
      if (left > 0) perAddress.set(session.remoteAddress, left);
      else perAddress.delete(session.remoteAddress);
    },
    onMailFrom(_address, session, callback) {
      respond(callback, async () => {
        visits.get(session.id)?.recipients.clear();
        const { allowed } = await takeFrom('inbound_mail', session.remoteAddress);
        if (!allowed) throw smtpRefusal(451, HURRIED);
      });
    },
    onRcptTo({ address }, session, callback) {
      respond(callback, () => nameRecipient(address, session));
    },
    onData(stream, session, callback) {
      respond(callback, () =>
        takeMail(stream, session, [...(visits.get(session.id)?.recipients.values() ?? [])]),
      );
    },
  });

  async function nameRecipient(address: string, session: SMTPServerSession): Promise<void> {
    const visit = visits.get(session.id);
    if (!visit || visit.recipients.size >= RECIPIENTS_MAX) throw smtpRefusal(452, TOO_MANY);
    const found = await findRecipient(db(), address);
    if (found) {
      visit.recipients.set(address.toLowerCase(), found);
      return;
    }
    // Who guesses addresses is slowed down, as somebody may be sending to a list of them.
    const { allowed } = await takeFrom('inbound_mail_recipient', session.remoteAddress);
    throw allowed ? smtpRefusal(550, UNKNOWN) : smtpRefusal(451, HURRIED);
  }

  function closeConnection(id: string): void {
    for (const connection of server.connections) if (connection.session.id === id) connection.close();
  }

  server.on('error', (error) => log().warn({ err: error }, 'mail.connection_failed'));
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const address = server.server.address();
  const listening = typeof address === 'object' && address ? address.port : port;
  log().info({ port: listening }, 'mail.listening');
  return {
    port: listening,
    connections: () => visits.size,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/**
 * The certificate of the mail listener: the one of the settings, else one made now. Other mail servers encrypt
 * opportunistically and check no name (RFC 3207 §4.1), so that one made now keeps listeners out all the same.
 */
async function smtpCertificate(): Promise<{ cert: string; key: string }> {
  const { INBOUND_SMTP_CERT_FILE, INBOUND_SMTP_KEY_FILE, BASE_URL } = settings();
  if (INBOUND_SMTP_CERT_FILE && INBOUND_SMTP_KEY_FILE) {
    return {
      cert: await readFile(INBOUND_SMTP_CERT_FILE, 'utf8'),
      key: await readFile(INBOUND_SMTP_KEY_FILE, 'utf8'),
    };
  }
  const name = new URL(BASE_URL).hostname || hostname();
  const made = await generate([{ name: 'commonName', value: name }], { keySize: 2048 });
  return { cert: made.cert, key: made.private };
}
