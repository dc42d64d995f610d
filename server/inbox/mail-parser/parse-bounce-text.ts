import { DIAGNOSTIC_MAX_LENGTH } from '#server/inbox/mail-parser/mail-limits.ts';
import { toAddress } from '#server/inbox/mail-parser/parse-delivery-status.ts';
import type { ReportedRecipient } from '#server/inbox/mail-parser/parsed-mail.ts';

/** Parsed prefix of a notice in UTF-16 units, maximum number of addresses, and maximum number of lines of a reason. */
const NOTICE_MAX_LENGTH = 20_000;
const ADDRESSES_MAX = 50;
const REASON_MAX_LINES = 6;

/** The server has given up, even if the notice also speaks of a delay. */
const GAVE_UP = [
  'permanent error',
  'permanent fatal error',
  'permanent failure',
  'failed permanently',
  'permanently failed',
  'giving up',
  'given up',
  'gave up',
  'will not try to redeliver',
  'will not be retried',
  'no further delivery attempts',
  'no further attempts',
  'has been returned',
  'retry timeout exceeded',
];

/** The server still tries. */
const DELAYED = [
  'delayed',
  'delay)',
  'not yet been delivered',
  'not been delivered yet',
  'not yet delivered',
  'will continue to be attempted',
  'delivery attempts will continue',
  'will continue trying',
  'will keep trying',
  'will be retried',
  'will retry',
  'still being retried',
  'still trying',
  'will be reattempted',
  'warning message only',
  'this is only a warning',
  'this is a warning',
  'could not send message for past',
  'could not be delivered for',
  'do not need to resend',
  'temporarily deferred',
  'been postponed',
  'continue to try to deliver',
  'verzögert',
];

/** The server did not deliver. In English, and in the languages that large providers write their notices in. */
const FAILED = [
  'not be delivered',
  "n't be delivered",
  'n’t be delivered',
  'cannot be delivered',
  'cannot deliver',
  'could not deliver',
  "couldn't deliver",
  'not delivered to',
  'was not delivered',
  'has not been delivered',
  'non-deliverable',
  'undeliverable',
  'undelivered',
  'unable to deliver',
  'not able to deliver',
  'able to deliver your message',
  'unsuccessful',
  'unsent message',
  'delivery failure',
  'delivery failed',
  'delivery has failed',
  'delivery error',
  'delivery problem',
  'delivery to the following',
  'failed to deliver',
  'failed to send',
  'failure notice',
  'failure reasons',
  'mail failure',
  'message failed',
  'mail error',
  'error delivering',
  'error sending your',
  'trouble delivering',
  'failed addresses',
  'delivery errors',
  'mail failed',
  'error while attempting to deliver',
  'error has occurred while attempting to deliver',
  'did not reach',
  'not reach the following',
  'not be sent',
  'returned mail',
  'returned to sender',
  'returned to the sender',
  'fatal error',
  'problems with delivery',
  'delivery status notification (failure)',
  'was aborted',
  'was rejected',
  'were rejected',
  'has been rejected',
  'been blocked',
  'was refused',
  'not accept',
  'address not found',
  'address was not found',
  "address wasn't found",
  'address rejected',
  'user unknown',
  'unknown user',
  'unknown recipient',
  'recipient unknown',
  'unknown address',
  'unknown or illegal',
  'no such user',
  'no such recipient',
  'no mailbox here',
  'invalid address',
  'invalid recipient',
  'does not exist',
  "doesn't have",
  'doesn’t exist',
  "doesn't exist",
  'no longer valid',
  'not a valid',
  'not listed in',
  'mailbox full',
  'mailbox is full',
  'mailbox unavailable',
  'mailbox not found',
  'over quota',
  'quota exceeded',
  'exceeded storage',
  'account is disabled',
  'account that you tried to reach',
  // German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian, Ukrainian, Japanese, Chinese.
  'konnte nicht zugestellt',
  'nicht zugestellt werden',
  'unzustellbar',
  'fehler bei der nachrichtenzustellung',
  'n’a pas pu être',
  "n'a pas pu être",
  'échec de la remise',
  'non remis',
  'no se pudo entregar',
  'no se ha podido entregar',
  'no se ha entregado',
  'non è stato possibile',
  'impossibile recapitare',
  'mancato recapito',
  'não pôde ser entregue',
  'não foi possível entregar',
  'kan niet worden bezorgd',
  'kon niet worden',
  'onbestelbaar',
  'nie można dostarczyć',
  'nie mogła zostać dostarczona',
  'не может быть доставлено',
  'не может быть отправлено',
  'не доставлено',
  'недоставленное',
  'не було доставлено',
  '送信できませんでした',
  '配信できません',
  '配信不能',
  '届けることができません',
  '存在しない',
  '无法投递',
  '无法送达',
  '退信',
];

/**
 * Parses the text of a bounce, for servers that write no machine-readable report: Exchange, Postfix, Exim, Sendmail, qmail
 * (QSBMF, D. J. Bernstein), Gmail, Yahoo, GMX, mail.ru, Zoho, Amazon SES and similar ones. These texts have in common a
 * sentence that says what happened, and the addresses of the recipients before the copy of the mail.
 *
 * Only for mail that is known to come from a mail server: a person may write the same words.
 * @returns the addresses in the notice, whether or not they are recipients; none when the text reports nothing
 */
export function parseBounceText({
  subject,
  text,
}: {
  subject: string | null;
  text: string;
}): ReportedRecipient[] {
  const lines = linesAboveCopy(text);
  const action = actionOf(`${subject ?? ''} ${lines.join(' ')}`);
  if (action === undefined) return [];
  const byAddress = new Map<string, ReportedRecipient>();
  for (const [at, line] of lines.entries()) {
    for (const address of addressesIn(line)) {
      if (byAddress.has(address)) continue;
      if (byAddress.size === ADDRESSES_MAX) return [...byAddress.values()];
      byAddress.set(address, { action, addresses: [address], ...reasonOf(lines, at, address) });
    }
  }
  return [...byAddress.values()];
}

/** Returns what a notice says about its recipients; undefined when it says nothing about delivery. */
export function actionOf(text: string): 'failed' | 'delayed' | undefined {
  const words = text.slice(0, NOTICE_MAX_LENGTH).replaceAll(/\s+/g, ' ').toLowerCase();
  const says = (phrases: string[]) => phrases.some((phrase) => words.includes(phrase));
  if (says(GAVE_UP)) return 'failed';
  if (says(DELAYED)) return 'delayed';
  return says(FAILED) ? 'failed' : undefined;
}

/** Headers that start a copy of the mail, and lines that announce one. */
const COPY_HEADER =
  /^(?:received|return-path|message-id|mime-version|dkim-signature|x-received|delivered-to) ?:/i;
const COPY_WORDS =
  /\b(?:copy of|original|unsent|returned|header(?:s)? of|headers? follow|message header|message follows|forwarded)\b/i;

/** Returns the trimmed lines above the copy of the mail. */
function linesAboveCopy(text: string): string[] {
  const lines = text
    .slice(0, NOTICE_MAX_LENGTH)
    .split('\n')
    .map((line) => line.trim());
  const end = lines.findIndex((line, at) => at > 0 && isStartOfCopy(line));
  return end === -1 ? lines : lines.slice(0, end);
}

function isStartOfCopy(line: string): boolean {
  if (COPY_HEADER.test(line)) return true;
  const isAnnounced =
    line.startsWith('--') || /^(?:original message|below is a copy|below this line)/i.test(line);
  return isAnnounced && COPY_WORDS.test(line.slice(0, 200));
}

/** Returns the addresses in a line, in lowercase. */
function addressesIn(line: string): string[] {
  if (!line.includes('@')) return [];
  return line
    .slice(0, 2_000)
    .split(/[\s<>()[\]",;]+/)
    .flatMap((word) => toAddress(word.replace(/^(?:mailto:|rfc822:|smtp:|\S{0,20}smtp=)/i, '')) ?? [])
    .filter((address) => address.includes('.', address.lastIndexOf('@')));
}

/** Returns the reason beside or below an address; if there is none, the first line with an SMTP response. */
function reasonOf(
  lines: string[],
  at: number,
  address: string,
): Pick<ReportedRecipient, 'status' | 'diagnostic'> {
  const line = lines[at] ?? '';
  const beside = line
    .slice(line.toLowerCase().indexOf(address) + address.length)
    .replace(/^[>"'):\s.,]+/, '');
  const rest = lines.slice(at + 1, at + 1 + REASON_MAX_LINES);
  const end = rest.findIndex(
    (next) => next === '' || next.startsWith('--') || /^<[^<>\s@]+@[^<>\s@]+>/.test(next),
  );
  const below = rest.slice(0, end === -1 ? rest.length : end);
  const near = [beside, ...below].filter((part) => part !== '').join(' ');
  const reason = near === '' ? (lines.find((each) => /^(?:<<< )?[45]\d\d[ -]/.test(each)) ?? '') : near;
  return {
    status: /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(reason.slice(0, 1_000))?.[0] ?? null,
    diagnostic: reason.slice(0, DIAGNOSTIC_MAX_LENGTH) || null,
  };
}
