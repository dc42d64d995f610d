import { log } from '#server/core/log.ts';
import { parseAddresses, parseAuthor } from '#server/inbox/mail-parser/mail-addresses.ts';
import {
  detectAutomatic,
  headerOf,
  parseMailHeaders,
  parseMessageId,
  parseMessageIds,
} from '#server/inbox/mail-parser/mail-headers.ts';
import { runMailTask } from '#server/inbox/mail-parser/mail-task.ts';
import { parseWords } from '#server/inbox/mail-parser/parse-mail.ts';
import type { ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';

/**
 * Reads a mail, however hostile: what cannot be parsed within the limits is shown by its headers and a note.
 * @param envelopeFrom as the sending server gave it; undefined when it is not known
 */
export async function readMail(raw: Uint8Array, envelopeFrom: string | undefined): Promise<ParsedMail> {
  const outcome = await runMailTask({ kind: 'parse', raw, envelopeFrom });
  if (outcome.kind === 'done') return outcome.value;
  log().warn({ bytes: raw.byteLength, outcome: outcome.kind, reason: outcome.reason }, 'mail.not_parsed');
  return unreadableMail(raw, envelopeFrom);
}

/** Shown in the thread where a mail could not be read. */
export const UNREADABLE_NOTE =
  '[This email could not be read in full: it is broken, or built in an unusual way. Open its original to see what it says.]';

/**
 * A mail whose parsing did not end: what its headers say, and a note in place of its text. Its original is kept whole, as
 * of every mail.
 */
function unreadableMail(raw: Uint8Array, envelopeFrom: string | undefined): ParsedMail {
  const headers = parseMailHeaders(raw);
  const address = (key: string) => parseAddresses(headerOf(headers, key) ?? '');
  const from = parseAuthor(raw).author;
  return {
    messageId: parseMessageId(headerOf(headers, 'message-id')),
    inReplyTo: parseMessageIds(headerOf(headers, 'in-reply-to')),
    references: parseMessageIds(headerOf(headers, 'references')),
    from,
    to: address('to'),
    cc: address('cc'),
    subject: parseWords(headerOf(headers, 'subject') ?? '') || null,
    text: UNREADABLE_NOTE,
    fullText: null,
    html: null,
    files: [],
    filesLeftOut: 0,
    automatic: detectAutomatic({ headers, envelopeFrom, fromAddress: from?.address }),
    bounce: null,
  };
}
