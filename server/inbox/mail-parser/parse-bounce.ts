import type { Bounce } from '#server/inbox/mail-parser/parsed-mail.ts';

/** Maximum lengths in UTF-16 units: of the parsed part of a report, and of a diagnostic. */
const REPORT_MAX_LENGTH = 100_000;
const DIAGNOSTIC_MAX_LENGTH = 300;

/**
 * Parses the `message/delivery-status` part of a delivery report (RFC 3464 §2). Returns the first failed recipient,
 * else the first delayed recipient.
 * @returns null when the report contains no failure and no delay
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

/** Returns the value after the type of a field, for example of `rfc822; ada@example.com`. */
function typed(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = value.slice(value.indexOf(';') + 1).trim();
  return text === '' ? undefined : text;
}

/** Returns the groups of fields: the group of the message, then one per recipient. Unfolds continuation lines. */
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

/** First words of a report from qmail or a similar server (QSBMF, D. J. Bernstein). */
const REPORT_START = /^\s*Hi\. This is the /;
/** First line of the paragraph about one recipient. */
const RECIPIENT = /^<([^<>\s]{1,254}@[^<>\s]{1,254})>:?$/;
/** Status code that qmail appends to a sentence, for example `(#5.1.1)`. */
const STATUS = /\(#([245]\.\d{1,3}\.\d{1,3})\)/;

/** Parsed prefix of a qmail report, in UTF-16 units. */
const QMAIL_REPORT_MAX_LENGTH = 20_000;

/**
 * Parses the text of a bounce from qmail, which writes no machine-readable report (RFC 3464). Uses the first recipient.
 * Such a report always means a permanent failure.
 * @returns null for any other text
 */
export function parseQmailBounce(text: string): Bounce | null {
  if (!REPORT_START.test(text.slice(0, 200))) return null;
  const lines = text
    .slice(0, QMAIL_REPORT_MAX_LENGTH)
    .split('\n')
    .map((line) => line.trim());
  const at = lines.findIndex((line) => RECIPIENT.test(line));
  const recipient = RECIPIENT.exec(lines[at] ?? '')?.[1];
  if (recipient === undefined) return null;
  const rest = lines.slice(at + 1);
  // The explanation ends at the next paragraph, the next recipient, or the copy of the mail.
  const end = rest.findIndex((line) => line === '' || line.startsWith('---') || RECIPIENT.test(line));
  const explanation = rest.slice(0, end === -1 ? rest.length : end).join(' ');
  return {
    action: 'failed',
    recipient: recipient.toLowerCase(),
    status: STATUS.exec(explanation)?.[1] ?? null,
    diagnostic: explanation.slice(0, DIAGNOSTIC_MAX_LENGTH) || null,
  };
}
