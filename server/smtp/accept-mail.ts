import type { SMTPServer, SMTPServerSession } from 'smtp-server';
import { Refusal } from '#server/core/errors.ts';
import { log } from '#server/core/log.ts';
import { traced } from '#server/core/tracing/tracing.ts';
import type { MailRecipient } from '#server/inbox/incoming-mail/find-recipient.ts';
import { TooMuchMail } from '#server/inbox/incoming-mail/limit-mail-bytes.ts';
import { SenderBlocked, storeMail } from '#server/inbox/incoming-mail/store-mail.ts';
import { MAIL_MAX_BYTES } from '#server/inbox/mail-parser/mail-limits.ts';

const TOO_LARGE = '5.3.4 A message can have at most 50 MB';
const NO_ROOM = '4.2.2 The mailbox is full right now';
/** Answers RCPT for a blocked envelope sender, and DATA for a blocked author. */
export const BLOCKED = '5.7.1 The recipient does not accept mail from this sender';
const TOO_MUCH = '4.7.0 Too much mail from this sender. Try again in an hour';

/**
 * Stores a received message for its recipients.
 * @throws an SMTP refusal (`smtpRefusal`) when the message is too large or the workspace is full; the message
 * has then been read completely
 */
export async function acceptMail(
  stream: Parameters<NonNullable<SMTPServer['onData']>>[0],
  session: SMTPServerSession,
  recipients: MailRecipient[],
): Promise<void> {
  const { mailFrom } = session.envelope;
  const envelope = {
    ip: session.remoteAddress,
    helo: session.hostNameAppearsAs || null,
    from: mailFrom ? mailFrom.address : '',
  };
  try {
    const ids = await traced('receive mail', { kind: 'server', parent: null }, () =>
      storeMail(upTo(MAIL_MAX_BYTES, stream), { envelope, recipients }),
    );
    log().info({ updateIds: ids, bytes: stream.byteLength }, 'mail.stored');
  } catch (error) {
    // Read and discard the rest, or the sender would never read the response.
    stream.resume();
    if (!stream.readableEnded && !stream.destroyed)
      await new Promise((resolve) => stream.once('end', resolve).once('close', resolve));
    if (error instanceof TooLarge) throw smtpRefusal(552, TOO_LARGE);
    if (error instanceof SenderBlocked) throw smtpRefusal(550, BLOCKED);
    if (error instanceof TooMuchMail) throw smtpRefusal(452, TOO_MUCH);
    if (error instanceof Refusal) throw smtpRefusal(452, NO_ROOM);
    throw error;
  }
}

class TooLarge extends Error {}

/**
 * Passes a message on, and throws once it exceeds the limit. Iterates without closing the stream, so that the rest
 * can be read.
 */
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

const FAULT = '4.3.0 The message could not be stored right now. Try again later';

/** Creates an SMTP refusal (RFC 5321 §4.2.3, RFC 3463). After a 4xx code the sender retries later. */
export function smtpRefusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** Answers a command after `work`. A server error is a temporary refusal, so that the sender retries. */
export function respond(callback: (error?: Error | null) => void, work: () => Promise<void>): void {
  work().then(
    () => callback(),
    (error: unknown) => {
      if (error instanceof Error && 'responseCode' in error) return callback(error);
      log().error({ err: error }, 'mail.not_stored');
      callback(smtpRefusal(451, FAULT));
    },
  );
}
