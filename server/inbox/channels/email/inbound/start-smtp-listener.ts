import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { db } from '#server/ground/db.ts';
import { Refusal } from '#server/ground/errors.ts';
import { takeFrom } from '#server/ground/limits/limits.ts';
import { log } from '#server/ground/log.ts';
import { findRecipient, type MailRecipient } from '#server/inbox/channels/email/inbound/find-recipient.ts';
import { keepMail } from '#server/inbox/channels/email/inbound/keep-mail.ts';
import { MAIL_MAX_BYTES, RECIPIENTS_MAX } from '#server/inbox/channels/email/inbound/mail-limits.ts';
import { smtpCertificate } from '#server/inbox/channels/email/inbound/smtp-certificate.ts';

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

export type SmtpListener = {
  port: number;
  /** How many connections are open. */
  connections: () => number;
  /** Takes no new connections, and lets mails under way finish. */
  stop: () => Promise<void>;
};

/** What is known of a connection besides what the library knows. */
type Visit = { recipients: Map<string, MailRecipient>; timer: NodeJS.Timeout };

/** A refusal as SMTP says it (RFC 5321 §4.2.3, RFC 3463). 4xx: the sender tries again later. */
function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

const UNKNOWN = '5.1.1 There is no such mailbox here';
const TOO_LARGE = '5.3.4 A mail can be 50 MB at most';
const TOO_MANY = '4.5.3 A mail can have 1,000 recipients at most; send it to the others in another one';
const HURRIED = '4.7.0 Too much mail from your address; try again in a minute';
const NO_ROOM = '4.2.2 The mailbox has no room right now';
const FAULT = '4.3.0 The mail could not be kept right now; try again later';

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
      if (count > CONNECTIONS_PER_ADDRESS_MAX) return callback(refusal(421, '4.7.0 Too many connections'));
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
      answer(callback, async () => {
        visits.get(session.id)?.recipients.clear();
        const { allowed } = await takeFrom('inbound_mail', session.remoteAddress);
        if (!allowed) throw refusal(451, HURRIED);
      });
    },
    onRcptTo({ address }, session, callback) {
      answer(callback, () => nameRecipient(address, session));
    },
    onData(stream, session, callback) {
      answer(callback, () => takeMail(stream, session));
    },
  });

  async function nameRecipient(address: string, session: SMTPServerSession): Promise<void> {
    const visit = visits.get(session.id);
    if (!visit || visit.recipients.size >= RECIPIENTS_MAX) throw refusal(452, TOO_MANY);
    const found = await findRecipient(db(), address);
    if (found) {
      visit.recipients.set(address.toLowerCase(), found);
      return;
    }
    // Who guesses addresses is slowed down, as somebody may be sending to a list of them.
    const { allowed } = await takeFrom('inbound_mail_recipient', session.remoteAddress);
    throw allowed ? refusal(550, UNKNOWN) : refusal(451, HURRIED);
  }

  async function takeMail(
    stream: Parameters<NonNullable<SMTPServer['onData']>>[0],
    session: SMTPServerSession,
  ) {
    const recipients = [...(visits.get(session.id)?.recipients.values() ?? [])];
    const { mailFrom } = session.envelope;
    const envelope = {
      ip: session.remoteAddress,
      helo: session.hostNameAppearsAs || null,
      from: mailFrom ? mailFrom.address : '',
    };
    try {
      const ids = await keepMail(upTo(MAIL_MAX_BYTES, stream), { envelope, recipients });
      log().info({ updateIds: ids, bytes: stream.byteLength }, 'mail.kept');
    } catch (error) {
      // The rest is taken in and thrown away, or the sender never reads the answer.
      stream.resume();
      if (!stream.readableEnded && !stream.destroyed)
        await new Promise((resolve) => stream.once('end', resolve).once('close', resolve));
      if (error instanceof TooLarge) throw refusal(552, TOO_LARGE);
      if (error instanceof Refusal) throw refusal(452, NO_ROOM);
      throw error;
    }
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

class TooLarge extends Error {}

/** Passes a mail on, and fails once it is larger. It is read on from the stream by its own loop, so that the rest can be. */
async function* upTo(maxBytes: number, stream: NodeJS.ReadableStream): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of (
    stream as NodeJS.ReadableStream & { iterator(options: object): AsyncIterable<Buffer> }
  ).iterator({
    destroyOnReturn: false,
  })) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new TooLarge();
    yield piece;
  }
}

/** Answers with what came of it; our own faults as a temporary refusal, so that the sender tries again. */
function answer(callback: (error?: Error | null) => void, work: () => Promise<void>): void {
  work().then(
    () => callback(),
    (error: unknown) => {
      if (error instanceof Error && 'responseCode' in error) return callback(error);
      log().error({ err: error }, 'mail.not_kept');
      callback(refusal(451, FAULT));
    },
  );
}
