import { headerOf, type MailHeader } from '#server/inbox/mail-parser/mail-headers.ts';
import { actionOf, parseBounceText } from '#server/inbox/mail-parser/parse-bounce-text.ts';
import { parseDeliveryStatus, toAddress } from '#server/inbox/mail-parser/parse-delivery-status.ts';
import type { ReportedRecipient } from '#server/inbox/mail-parser/parsed-mail.ts';

/** The parts of a mail that can report a failed delivery. */
export type BounceParts = {
  headers: readonly MailHeader[];
  subject: string | null;
  /** Address of the From header, in lowercase. */
  fromAddress: string | undefined;
  /** The text, without attached mails; null unless a mail server sent the mail. A person may write the same words. */
  notice: string | null;
  /** Contents of the parts with the type `message/delivery-status`. */
  reports: readonly string[];
  /** Contents of attached mails: some servers attach the report that another server sent them. */
  attachedMails: readonly string[];
};

/**
 * Parses a bounce. Reads the machine-readable report (RFC 3464) first, then the header `X-Failed-Recipients`, then the
 * text. Other sources add only addresses that the report does not name, for example that of a contact whose mail server
 * reports an internal address; the report's outcome then applies to them.
 * @returns null for a mail that reports nothing about a recipient
 */
export function parseBounce(mail: BounceParts): ReportedRecipient[] | null {
  const { notice, reports } = mail;
  const inParts = reports.flatMap(parseDeliveryStatus);
  const reported = inParts.length > 0 ? inParts : parseDeliveryStatus(reportInText(notice ?? ''));
  const others = notice === null ? [] : otherSources(mail, notice);
  const known = new Set(reported.flatMap(({ addresses }) => addresses));
  const outcome = reported[0];
  const added = others
    .filter(({ addresses }) => !addresses.some((address) => known.has(address)))
    .map((other) => (outcome ? { ...outcome, addresses: other.addresses } : other));
  const all = [...reported, ...added];
  if (all.length > 0) return all;
  const attached = notice === null ? [] : mail.attachedMails.map(reportInText).flatMap(parseDeliveryStatus);
  return attached.length > 0 ? attached : null;
}

function otherSources(mail: BounceParts, text: string): ReportedRecipient[] {
  const { headers, subject, fromAddress } = mail;
  // An absence note names the address of its author.
  const inText = parseBounceText({ subject, text }).filter(
    ({ addresses }) => !addresses.includes(fromAddress ?? ''),
  );
  const failed = (headerOf(headers, 'x-failed-recipients') ?? '').slice(0, 10_000).split(/[\s,;]+/);
  const action = actionOf(`${subject ?? ''} ${text}`) ?? 'failed';
  const inHeader = failed.flatMap((word): ReportedRecipient[] => {
    const address = toAddress(word);
    if (address === undefined) return [];
    const reason = inText.find(({ addresses }) => addresses.includes(address));
    return [reason ?? { action, addresses: [address], status: null, diagnostic: null }];
  });
  return [...new Set([...inHeader, ...inText])];
}

/** First field of a report that is a part of the text, as in a mail whose parts cannot be separated. */
const REPORT_FIELD = /^(?:reporting-mta|original-recipient|final-recipient):/im;

/** Returns the report within a text; empty when there is none. */
function reportInText(text: string): string {
  const found = REPORT_FIELD.exec(text.slice(0, 200_000));
  return found ? text.slice(found.index) : '';
}
