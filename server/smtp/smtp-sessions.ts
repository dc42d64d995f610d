import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { addressKey } from '#server/core/limits/address-key.ts';
import type { MailRecipient } from '#server/inbox/incoming-mail/find-recipient.ts';
import { RECIPIENTS_MAX } from '#server/inbox/mail-parser/mail-limits.ts';

export const SMTP_LIMITS = {
  connections: 100,
  /** Connections of one IPv4 address, or of one /64 of IPv6. */
  connectionsPerAddress: 20,
  /** Commands between two mails. A mail has one for each recipient. */
  commands: 2 * RECIPIENTS_MAX,
  /** Time without progress of a message, in ms. */
  idleMs: 60_000,
  /** The idle limit while more than half of the connections are in use, in ms. */
  crowdedIdleMs: 20_000,
  /** Lifetime of a connection, in ms. */
  totalMs: 10 * 60_000,
  /** Interval at which connections are checked, in ms. */
  checkMs: 1_000,
};

export type SmtpLimits = typeof SMTP_LIMITS;

/**
 * A message that grows by less than this between two checks is idle, in bytes. Single bytes do not
 * keep a connection open.
 */
const PROGRESS_MIN_BYTES = 1_024;

type Session = {
  addressKey: string;
  /** The recipients of the current mail. */
  recipients: Map<string, MailRecipient>;
  commands: number;
  openedAt: number;
  /** Time since the last activity, in ms. */
  idleMs: number;
  /** Handlers in progress, during which the client waits for the server. */
  handlers: number;
  /** The message being received, with its size at the last activity. */
  mail: { stream: SMTPServerDataStream; bytes: number } | null;
};

/**
 * Tracks the connections of a listener, and closes those that are idle, too old, or have sent too many
 * commands. Only the commands and bytes of a message count as activity, so NOOP does not keep a connection open.
 * @param close sends a connection this reply with the code 421, and closes it
 */
export function trackSmtpSessions(limits: SmtpLimits, close: (sessionId: string, reply: string) => void) {
  const sessions = new Map<string, Session>();
  const perAddress = new Map<string, number>();
  const timer = setInterval(check, limits.checkMs);
  timer.unref();
  let checkedAt = performance.now();

  function check(): void {
    const now = performance.now();
    // After a stall of this process, bytes that have arrived are still unread.
    const elapsedMs = Math.min(now - checkedAt, 2 * limits.checkMs);
    checkedAt = now;
    const isCrowded = sessions.size > limits.connections / 2;
    const idleMs = isCrowded ? limits.crowdedIdleMs : limits.idleMs;
    for (const [id, session] of sessions) {
      session.idleMs = isActive(session) ? 0 : session.idleMs + elapsedMs;
      if (session.idleMs > idleMs) close(id, '4.4.2 Idle for too long');
      else if (now - session.openedAt > limits.totalMs) close(id, '4.4.2 Connected for too long');
    }
  }

  return {
    size: () => sessions.size,
    /** Opens a session, unless its address has too many. Returns whether it was opened. */
    open({ id, remoteAddress }: SMTPServerSession): boolean {
      const key = addressKey(remoteAddress);
      const count = (perAddress.get(key) ?? 0) + 1;
      if (count > limits.connectionsPerAddress) return false;
      perAddress.set(key, count);
      sessions.set(id, {
        addressKey: key,
        recipients: new Map(),
        commands: 0,
        openedAt: performance.now(),
        idleMs: 0,
        handlers: 0,
        mail: null,
      });
      return true;
    },
    end({ id }: Pick<SMTPServerSession, 'id'>): void {
      const session = sessions.get(id);
      if (!session || !sessions.delete(id)) return;
      const left = (perAddress.get(session.addressKey) ?? 1) - 1;
      if (left > 0) perAddress.set(session.addressKey, left);
      else perAddress.delete(session.addressKey);
    },
    recipientsOf: ({ id }: Pick<SMTPServerSession, 'id'>) => sessions.get(id)?.recipients,
    /** Counts any command. */
    countCommand(id: string): void {
      const session = sessions.get(id);
      if (!session) return;
      session.commands += 1;
      if (session.commands > limits.commands) close(id, '4.7.0 Too many commands');
    },
    /** Runs the handler of a command, which counts as activity. */
    async handle({ id }: Pick<SMTPServerSession, 'id'>, work: () => Promise<void>): Promise<void> {
      const session = sessions.get(id);
      if (session) session.handlers += 1;
      try {
        await work();
      } finally {
        if (session) {
          session.handlers -= 1;
          session.idleMs = 0;
        }
      }
    },
    /** Receives a message. Its bytes count as activity, and its end resets the count of commands. */
    async receive(
      { id }: Pick<SMTPServerSession, 'id'>,
      stream: SMTPServerDataStream,
      work: (recipients: MailRecipient[]) => Promise<void>,
    ): Promise<void> {
      const session = sessions.get(id);
      if (!session) return work([]);
      session.mail = { stream, bytes: 0 };
      session.idleMs = 0;
      try {
        await work([...session.recipients.values()]);
        session.commands = 0;
      } finally {
        session.mail = null;
        session.idleMs = 0;
      }
    },
    stop: () => clearInterval(timer),
  };
}

/** Returns whether the client has sent something since the last check, or waits for the server. */
function isActive({ handlers, mail }: Session): boolean {
  if (handlers > 0) return true;
  if (!mail) return false;
  const { stream, bytes } = mail;
  if (stream.writableEnded || stream.writableNeedDrain) return true;
  if (stream.byteLength - bytes < PROGRESS_MIN_BYTES) return false;
  mail.bytes = stream.byteLength;
  return true;
}
