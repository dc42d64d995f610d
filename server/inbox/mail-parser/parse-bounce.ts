import type { Bounce } from '#server/inbox/mail-parser/parsed-mail.ts';

/** How much of a report is looked at, in UTF-16 units, and how long what it says may be. */
const REPORT_MAX_LENGTH = 100_000;
const DIAGNOSTIC_MAX_LENGTH = 300;

/**
 * Reads the machine's part of a delivery report, `message/delivery-status` (RFC 3464 §2). Of several recipients the
 * first one that failed counts, else the first that is delayed.
 * @returns null when it reports no failure and no delay
 */
export function parseBounce(report: string): Bounce | null {
  const recipients = groupsOf(report).flatMap((fields) => bounceOf(fields) ?? []);
  return recipients.find(({ action }) => action === 'failed') ?? recipients[0] ?? null;
}

function bounceOf(fields: Map<string, string>): Bounce | undefined {
  const action = fields.get('action')?.toLowerCase();
  if (action !== 'failed' && action !== 'delayed') return undefined;
  return {
    action,
    recipient:
      typed(fields.get('original-recipient') ?? fields.get('final-recipient'))?.toLowerCase() ?? null,
    status: /^[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? null,
    diagnostic: typed(fields.get('diagnostic-code'))?.slice(0, DIAGNOSTIC_MAX_LENGTH) ?? null,
  };
}

/** The value after the type of a field, as in `rfc822; ada@example.com`. */
function typed(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = value.slice(value.indexOf(';') + 1).trim();
  return text === '' ? undefined : text;
}

/** The groups of fields: the report's own first, then one a recipient. Lines that begin with a space go on. */
function groupsOf(report: string): Map<string, string>[] {
  const groups: Map<string, string>[] = [];
  let fields = new Map<string, string>();
  let last: string | undefined;
  for (const line of [...report.slice(0, REPORT_MAX_LENGTH).split('\n'), '']) {
    if (line.trim() === '') {
      if (fields.size > 0) groups.push(fields);
      fields = new Map();
      last = undefined;
    } else if (/^[ \t]/.test(line)) {
      const before = last === undefined ? undefined : fields.get(last);
      if (last !== undefined && before !== undefined && before.length < 2 * DIAGNOSTIC_MAX_LENGTH) {
        fields.set(last, `${before} ${line.trim()}`);
      }
    } else {
      const colon = line.indexOf(':');
      last = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
      if (!fields.has(last)) fields.set(last, line.slice(colon + 1).trim());
    }
  }
  return groups;
}

/** How a report begins that qmail and its kin write for people and machines alike (QSBMF, D. J. Bernstein). */
const BEGINNING = /^\s*Hi\. This is the /;
/** The line that begins what is said of one recipient. */
const RECIPIENT = /^<([^<>\s]{1,254}@[^<>\s]{1,254})>:?$/;
/** The status that qmail puts behind a sentence, as in `(#5.1.1)`. */
const STATUS = /\(#([245]\.\d{1,3}\.\d{1,3})\)/;

/** How much of a report is looked at, in UTF-16 units, and how long what it says may be. */
const QMAIL_REPORT_MAX_LENGTH = 20_000;

/**
 * Reads the text of a mail that came back from qmail, which writes no report for machines (RFC 3464). The first recipient
 * counts; such a report always says that the mail was given up.
 * @returns null when it is none
 */
export function parseQmailBounce(text: string): Bounce | null {
  if (!BEGINNING.test(text.slice(0, 200))) return null;
  const lines = text
    .slice(0, QMAIL_REPORT_MAX_LENGTH)
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
