import type { MailAddress } from '#server/inbox/mail-parser/parsed-mail.ts';
import { isBlank, isForwardMark, isHeaderBlock, labelOf } from '#server/inbox/mail-parser/quote-lines.ts';
import { HEADER_LABELS } from '#server/inbox/mail-parser/quote-words.ts';
import { parseRowAddress } from '#server/inbox/mail-parser/row-address.ts';

/** Maximum number of lines that are searched for forwarded mails. */
const LINES_MAX = 2_000;
/** Maximum number of lines with text in the header block of a forwarded mail. */
const BLOCK_LINES = 10;
/** Maximum number of returned senders: a forwarded mail may contain another one. */
const SENDERS_MAX = 3;

/**
 * Returns the senders that the header blocks of forwarded mails name, the outermost first: those of Gmail, Outlook, Apple
 * Mail and Thunderbird. Anyone can write such a block.
 * @param isForward whether the subject marks a forward. Outlook writes no line above the block that marks it.
 */
export function parseForward(text: string, { isForward }: { isForward: boolean }): MailAddress[] {
  const lines = text
    .split('\n', LINES_MAX)
    .map((line) => line.replaceAll('\u00a0', ' '))
    .filter((line) => !isBlank(line.replace(/^[\s>|]{0,20}/, '')));
  const senders: MailAddress[] = [];
  for (const [at, line] of lines.entries()) {
    const isMark = isForwardMark(line);
    if (!isMark && !(isForward && isHeaderBlock(lines, at))) continue;
    const sender = senderIn(lines.slice(isMark ? at + 1 : at, at + 1 + BLOCK_LINES));
    if (sender && !senders.some(({ address }) => address === sender.address)) senders.push(sender);
    if (senders.length === SENDERS_MAX) break;
  }
  return senders;
}

function senderIn(block: string[]): MailAddress | null {
  const at = block.findIndex((line) => HEADER_LABELS.from.has(labelOf(line)));
  const line = block[at];
  if (line === undefined) return null;
  const value = line.slice(line.search(/[:：]/) + 1);
  const next = block[at + 1] ?? '';
  // Mail programs break long rows.
  const isBroken = !value.includes('@') && labelOf(next) === '';
  return parseRowAddress(isBroken ? `${value} ${next}` : value);
}
