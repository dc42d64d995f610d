import { ADDRESS_MAX_LENGTH, DIAGNOSTIC_MAX_LENGTH } from '#server/inbox/mail-parser/mail-limits.ts';
import type { ReportedRecipient } from '#server/inbox/mail-parser/parsed-mail.ts';

/** Maximum length of the parsed part of a report, in UTF-16 units, and maximum number of recipients. */
const REPORT_MAX_LENGTH = 100_000;
const RECIPIENTS_MAX = 100;

/** Fields of one recipient, by lowercase name. The first field of a name counts. */
type Fields = Map<string, string>;

/** Fields that name the recipient, the intended one first. Exchange adds the `X-` fields. */
const RECIPIENT_FIELDS = [
  'original-recipient',
  'final-recipient',
  'x-actual-recipient',
  'x-display-recipient',
];
/** Fields that a recipient has once: a second one belongs to the next recipient. */
const FIELDS_ONCE = new Set(['original-recipient', 'final-recipient', 'action']);

/** Values of the Action field, besides those of RFC 3464 §2.3.3 the ones that large senders use. */
const ACTIONS: Readonly<Record<string, ReportedRecipient['action']>> = {
  failed: 'failed',
  failure: 'failed',
  fail: 'failed',
  expired: 'failed',
  undeliverable: 'failed',
  bounced: 'failed',
  rejected: 'failed',
  delayed: 'delayed',
  deferred: 'delayed',
  relayed: 'relayed',
  delivered: 'delivered',
  expanded: 'delivered',
};

/**
 * Parses a delivery report (`message/delivery-status`, RFC 3464 §2). Accepts what servers really send: addresses in angle
 * brackets or xtext, comments, several failed recipients, and missing or surplus empty lines between the groups.
 * @returns the recipients with a known outcome and an address, in the order of the report
 */
export function parseDeliveryStatus(report: string): ReportedRecipient[] {
  return groupsOf(report)
    .slice(0, RECIPIENTS_MAX + 1)
    .flatMap((fields) => recipientOf(fields) ?? []);
}

function recipientOf(fields: Fields): ReportedRecipient | undefined {
  const addresses = [...new Set(RECIPIENT_FIELDS.flatMap((name) => addressesOf(fields.get(name) ?? '')))];
  const status = /[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? null;
  const diagnostic = withoutType(fields.get('diagnostic-code') ?? '').slice(0, DIAGNOSTIC_MAX_LENGTH) || null;
  const action = actionOf(fields.get('action') ?? '', status ?? diagnostic ?? '');
  return addresses.length === 0 || action === undefined
    ? undefined
    : { action, addresses, status, diagnostic };
}

/** Returns the action; without a known word, what the first digit of the status code says (RFC 3463 §2). */
function actionOf(value: string, status: string): ReportedRecipient['action'] | undefined {
  const word = /[a-z]+/i.exec(value)?.[0].toLowerCase() ?? '';
  if (Object.hasOwn(ACTIONS, word)) return ACTIONS[word];
  if (status.startsWith('5')) return 'failed';
  return status.startsWith('4') ? 'delayed' : undefined;
}

/** Returns the addresses that a recipient field can mean, in lowercase: as written, and decoded from xtext (RFC 3461 §4). */
function addressesOf(field: string): string[] {
  const value = withoutType(field).slice(0, 2_000);
  const inBrackets = /<([^<>]*)>/.exec(value)?.[1];
  const written = (inBrackets ?? value).trim().split(/[\s(]/, 1)[0] ?? '';
  return [written, decodeXtext(written)].flatMap((text) => toAddress(text) ?? []);
}

/** Decodes `+40` (RFC 3461 §4) and `\x{40}` (RFC 6533 §3). */
function decodeXtext(text: string): string {
  return text
    .replaceAll(/\+([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/\\x\{([0-9A-F]{2,6})\}/gi, (whole, hex: string) => {
      const code = Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    });
}

/** Characters around an address in a text. */
const AROUND = new Set('"\'`<>.,:;');

/** Returns an address in lowercase, without punctuation around it; undefined for another text. */
export function toAddress(text: string): string | undefined {
  let [start, end] = [0, text.length];
  while (AROUND.has(text.charAt(start))) start += 1;
  while (end > start && AROUND.has(text.charAt(end - 1))) end -= 1;
  const address = text.slice(start, end).toLowerCase();
  const at = address.lastIndexOf('@');
  const isAddress = at > 0 && at < address.length - 1 && address.length <= ADDRESS_MAX_LENGTH;
  return isAddress && !/[\s\0]/.test(address) ? address : undefined;
}

/** Returns the value after the type of a field, for example of `rfc822; ada@example.com` or `smtp; 550 no`. */
function withoutType(value: string): string {
  return value.replace(/^[\w-]{1,40}[ \t]*;/, '').trim();
}

/**
 * Returns the fields of each recipient. A repeated field starts the next group, and an empty line does only below
 * a complete group, because some servers omit empty lines and others add them. Unfolds continuation lines.
 */
function groupsOf(report: string): Fields[] {
  const groups: Fields[] = [];
  let fields: Fields = new Map();
  let last: string | undefined;
  let isPastLine = false;
  for (const line of report.slice(0, REPORT_MAX_LENGTH).split('\n')) {
    if (line.trim() === '') {
      isPastLine = true;
      last = undefined;
      continue;
    }
    if (/^[ \t]/.test(line) && last !== undefined) {
      const before = fields.get(last) ?? '';
      if (before.length < 2 * DIAGNOSTIC_MAX_LENGTH) fields.set(last, `${before} ${line.trim()}`.trim());
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (name === '' || name.length > 100) continue;
    if (FIELDS_ONCE.has(name) && (fields.has(name) || (isPastLine && isComplete(fields)))) {
      groups.push(fields);
      fields = new Map();
    }
    isPastLine = false;
    last = fields.has(name) ? undefined : name;
    if (last !== undefined) fields.set(name, line.slice(colon + 1).trim());
  }
  return [...groups, fields];
}

function isComplete(fields: Fields): boolean {
  return fields.has('action') && RECIPIENT_FIELDS.some((name) => fields.has(name));
}
