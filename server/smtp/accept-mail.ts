import type { SMTPServer, SMTPServerSession } from 'smtp-server';
import { Refusal } from '#server/core/errors.ts';
import { log } from '#server/core/log.ts';
import type { MailRecipient } from '#server/inbox/incoming-mail/find-recipient.ts';
import { TooMuchMail } from '#server/inbox/incoming-mail/limit-mail-bytes.ts';
import { keepMail } from '#server/inbox/incoming-mail/store-mail.ts';
import { MAIL_MAX_BYTES } from '#server/inbox/mail-parser/mail-limits.ts';

const TOO_LARGE = '5.3.4 A mail can be 50 MB at most';
const NO_ROOM = '4.2.2 The mailbox has no room right now';
const TOO_MUCH = '4.7.0 Too much mail from this sender; try again in an hour';

/**
 * Keeps a mail that a server hands over, for recipients who were found.
 * @throws a refusal of SMTP (`smtpRefusal`) when it is too large or the workspace has no room; then all of it was read
 */
export async function takeMail(
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
    const ids = await keepMail(upTo(MAIL_MAX_BYTES, stream), { envelope, recipients });
    log().info({ updateIds: ids, bytes: stream.byteLength }, 'mail.kept');
  } catch (error) {
    // The rest is taken in and thrown away, or the sender never reads the response.
    stream.resume();
    if (!stream.readableEnded && !stream.destroyed)
      await new Promise((resolve) => stream.once('end', resolve).once('close', resolve));
    if (error instanceof TooLarge) throw smtpRefusal(552, TOO_LARGE);
    if (error instanceof TooMuchMail) throw smtpRefusal(452, TOO_MUCH);
    if (error instanceof Refusal) throw smtpRefusal(452, NO_ROOM);
    throw error;
  }
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

const FAULT = '4.3.0 The mail could not be kept right now; try again later';

/** A refusal as SMTP says it (RFC 5321 §4.2.3, RFC 3463). 4xx: the sender tries again later. */
export function smtpRefusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** Answers a command once `work` is done. A fault of ours is a temporary refusal: the sender tries again. */
export function respond(callback: (error?: Error | null) => void, work: () => Promise<void>): void {
  work().then(
    () => callback(),
    (error: unknown) => {
      if (error instanceof Error && 'responseCode' in error) return callback(error);
      log().error({ err: error }, 'mail.not_kept');
      callback(smtpRefusal(451, FAULT));
    },
  );
}
