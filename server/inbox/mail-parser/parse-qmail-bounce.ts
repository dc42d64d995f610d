import type { Bounce } from '#server/inbox/mail-parser/parsed-mail.ts';

/** How a report begins that qmail and its kin write for people and machines alike (QSBMF, D. J. Bernstein). */
const BEGINNING = /^\s*Hi\. This is the /;
/** The line that begins what is said of one recipient. */
const RECIPIENT = /^<([^<>\s]{1,254}@[^<>\s]{1,254})>:?$/;
/** The status that qmail puts behind a sentence, as in `(#5.1.1)`. */
const STATUS = /\(#([245]\.\d{1,3}\.\d{1,3})\)/;

/** How much of a report is looked at, in UTF-16 units, and how long what it says may be. */
const REPORT_MAX_LENGTH = 20_000;
const DIAGNOSTIC_MAX_LENGTH = 300;

/**
 * Reads the text of a mail that came back from qmail, which writes no report for machines (RFC 3464). The first recipient
 * counts; such a report always says that the mail was given up.
 * @returns null when it is none
 */
export function parseQmailBounce(text: string): Bounce | null {
  if (!BEGINNING.test(text.slice(0, 200))) return null;
  const lines = text
    .slice(0, REPORT_MAX_LENGTH)
    .split('\n')
    .map((line) => line.trim());
  const at = lines.findIndex((line) => RECIPIENT.test(line));
  const recipient = RECIPIENT.exec(lines[at] ?? '')?.[1];
  if (recipient === undefined) return null;
  const rest = lines.slice(at + 1);
  // Up to the next paragraph, the next recipient, or the line above the mail itself.
  const end = rest.findIndex((line) => line === '' || line.startsWith('---') || RECIPIENT.test(line));
  const said = rest.slice(0, end === -1 ? rest.length : end).join(' ');
  return {
    action: 'failed',
    recipient: recipient.toLowerCase(),
    status: STATUS.exec(said)?.[1] ?? null,
    diagnostic: said.slice(0, DIAGNOSTIC_MAX_LENGTH) || null,
  };
}
