import { hostname } from 'node:os';
import { createSecureContext } from 'node:tls';
import { generate } from 'selfsigned';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { z } from 'zod';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { readSettingFile } from '#server/core/secret-files.ts';
import { reasonOf, UserError } from '#server/core/user-error.ts';
import { refuseBlocked } from '#server/inbox/blocked-senders/find-blocking.ts';
import { findRecipient } from '#server/inbox/incoming-mail/find-recipient.ts';
import { MAIL_MAX_BYTES, RECIPIENTS_MAX } from '#server/inbox/mail-parser/mail-limits.ts';
import { acceptMail, BLOCKED, respond, smtpRefusal } from '#server/smtp/accept-mail.ts';
import { SMTP_LIMITS, type SmtpLimits, trackSmtpSessions } from '#server/smtp/smtp-sessions.ts';

/** Time for messages in flight to finish on shutdown, in ms. */
const DRAIN_MS = 20_000;

type SmtpListener = {
  port: number;
  connections: () => number;
  /** Stops accepting connections and lets messages in flight finish. */
  stop: () => Promise<void>;
};

const UNKNOWN = '5.1.1 There is no such mailbox here';
const TOO_MANY = '4.5.3 A message can have at most 1,000 recipients. Send it to the rest separately';
const RATE_LIMITED = '4.7.0 Too much mail from your address. Try again in a minute';

/**
 * Starts a listener for mail from contacts (RFC 5321). A message is stored before the 250 response, and a job
 * processes it. Unknown recipients are refused at RCPT, so that no accepted message ever has to bounce.
 */
export async function startSmtpListener({
  port,
  host,
  limits = SMTP_LIMITS,
}: {
  port: number;
  host: string;
  limits?: SmtpLimits;
}): Promise<SmtpListener> {
  const sessions = trackSmtpSessions(limits, closeConnection);
  const server = new SMTPServer({
    ...(await smtpCertificate()),
    banner: 'Ready',
    authOptional: true,
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    // Japanese phone companies assigned addresses such as `yuki..s.@docomo.example`, and bounce domains have underscores.
    lenientAddressParsing: true,
    logger: countCommands(sessions.countCommand),
    size: MAIL_MAX_BYTES,
    maxClients: limits.connections,
    socketTimeout: limits.idleMs,
    closeTimeout: DRAIN_MS,
    onConnect(session, callback) {
      if (sessions.open(session)) callback();
      else callback(smtpRefusal(421, '4.7.0 Too many connections'));
    },
    onClose: (session) => sessions.end(session),
    onMailFrom(_address, session, callback) {
      respond(callback, () =>
        sessions.handle(session, async () => {
          sessions.recipientsOf(session)?.clear();
          const { allowed } = await consumeLimit('inbound_mail', session.remoteAddress);
          if (!allowed) throw smtpRefusal(451, RATE_LIMITED);
        }),
      );
    },
    onRcptTo({ address }, session, callback) {
      respond(callback, () => sessions.handle(session, () => addRecipient(address, session)));
    },
    onData(stream, session, callback) {
      respond(callback, () =>
        sessions.receive(session, stream, (recipients) => acceptMail(stream, session, recipients)),
      );
    },
  });

  async function addRecipient(address: string, session: SMTPServerSession): Promise<void> {
    const recipients = sessions.recipientsOf(session);
    if (!recipients || recipients.size >= RECIPIENTS_MAX) throw smtpRefusal(452, TOO_MANY);
    const found = await findRecipient(address);
    if (found) {
      const { mailFrom } = session.envelope;
      const emails = mailFrom && found.kind !== 'bounce' ? [mailFrom.address] : [];
      const blocking = await refuseBlocked(db(), [found.workspaceId], { emails });
      if (blocking.size > 0) throw smtpRefusal(550, BLOCKED);
      recipients.set(address.toLowerCase(), found);
      return;
    }
    // Slows down address guessing, without blocking a sender with an outdated list.
    const { allowed } = await consumeLimit('inbound_mail_recipient', session.remoteAddress);
    throw allowed ? smtpRefusal(550, UNKNOWN) : smtpRefusal(451, RATE_LIMITED);
  }

  function closeConnection(sessionId: string, reply: string): void {
    for (const connection of server.connections) {
      if (connection.session.id === sessionId) connection.send(421, reply, false);
    }
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
    connections: sessions.size,
    stop: async () => {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      sessions.stop();
    },
  };
}

/**
 * Counts the commands of a connection through the library's log, which is otherwise discarded. The library's
 * own command limit has no effect without authentication.
 */
function countCommands(count: (sessionId: string) => void) {
  const ignore = () => {};
  const debug = (entry: unknown) => {
    const { tnx, cid } = entryShape.parse(entry);
    if (tnx === 'command' && cid !== undefined) count(cid);
  };
  return { level: ignore, trace: ignore, debug, info: ignore, warn: ignore, error: ignore, fatal: ignore };
}

const entryShape = z.object({ tnx: z.string(), cid: z.string() }).partial().catch({});

/**
 * Returns the certificate of the settings, or else a generated one. Mail servers encrypt opportunistically
 * and check no name (RFC 3207 §4.1), so a generated certificate also protects against passive listeners.
 */
async function smtpCertificate(): Promise<{ cert: string; key: string }> {
  const { INBOUND_SMTP_CERT_FILE, INBOUND_SMTP_KEY_FILE, BASE_URL } = settings();
  if (INBOUND_SMTP_CERT_FILE && INBOUND_SMTP_KEY_FILE) {
    const cert = readSettingFile('INBOUND_SMTP_CERT_FILE', INBOUND_SMTP_CERT_FILE);
    const key = readSettingFile('INBOUND_SMTP_KEY_FILE', INBOUND_SMTP_KEY_FILE);
    try {
      createSecureContext({ cert, key });
    } catch (error) {
      throw new UserError(
        `INBOUND_SMTP_CERT_FILE and INBOUND_SMTP_KEY_FILE are no certificate with its key (${reasonOf(error)}).`,
      );
    }
    return { cert, key };
  }
  const name = new URL(BASE_URL).hostname || hostname();
  const made = await generate([{ name: 'commonName', value: name }], { keySize: 2048 });
  return { cert: made.cert, key: made.private };
}
