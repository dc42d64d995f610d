import { isUtf8 } from 'node:buffer';
import { headerAsUtf8, headerCharset } from '#server/inbox/mail-parser/decode-text.ts';
import {
  HEADERS_MAX_BYTES,
  MESSAGE_ID_MAX_LENGTH,
  REFERENCES_MAX,
} from '#server/inbox/mail-parser/mail-limits.ts';
import type { AutomaticReason } from '#server/inbox/mail-parser/parsed-mail.ts';

/** A header; the name in lowercase, the value unfolded (RFC 5322 §2.2.3). */
export type MailHeader = { key: string; value: string };

/** Upper bound on the number of headers. */
const HEADERS_MAX = 2_000;

type HeaderSection = {
  headers: MailHeader[];
  /**
   * False when parsers may disagree on the fields: a line is neither a field nor a continuation (RFC 5322 §2.2), line
   * endings are mixed, a line contains CR or NUL, or the section is larger than the scanned part.
   */
  isWellFormed: boolean;
};

const FIELD_START = /^[!-9;-~]+[ \t]*:/;

/** Returns the headers without parsing the body. Raw headers of old programs are read in the charset of the text. */
export function parseMailHeaders(raw: Uint8Array): MailHeader[] {
  const head = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, HEADERS_MAX_BYTES));
  const end = head.indexOf(HEADERS_END);
  const section = end === -1 ? head : head.subarray(0, end + HEADERS_END.length);
  const isLegacy = end !== -1 && !isUtf8(section);
  return parseHeaderSection(isLegacy ? headerAsUtf8(section, headerCharset(head)) : section).headers;
}

const HEADERS_END = '\r\n\r\n';

/** Parses the header section in linear time. Skips lines that are not fields. */
export function parseHeaderSection(raw: Uint8Array): HeaderSection {
  const lines = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, HEADERS_MAX_BYTES))
    .toString('utf8')
    .split('\n');
  const usesCrLf = lines[0]?.endsWith('\r');
  const headers: { key: string; parts: string[] }[] = [];
  let isWellFormed = true;
  for (const [index, line] of lines.entries()) {
    const isUnterminated = index === lines.length - 1;
    if (isUnterminated ? raw.byteLength > HEADERS_MAX_BYTES : line.endsWith('\r') !== usesCrLf) {
      isWellFormed = false;
    }
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (text === '') break;
    if (text.includes('\r') || text.includes('\0')) isWellFormed = false;
    if (text.startsWith(' ') || text.startsWith('\t')) {
      if (headers.length === 0) isWellFormed = false;
      headers.at(-1)?.parts.push(trimBlanks(text));
      continue;
    }
    if (!FIELD_START.test(text)) isWellFormed = false;
    if (headers.length === HEADERS_MAX) {
      isWellFormed = false;
      break;
    }
    const colon = text.indexOf(':');
    if (colon > 0) {
      headers.push({
        key: text.slice(0, colon).trim().toLowerCase(),
        parts: [trimBlanks(text.slice(colon + 1))],
      });
    }
  }
  return { headers: headers.map(({ key, parts }) => ({ key, value: parts.join(' ') })), isWellFormed };
}

/** Removes spaces and tabs at both ends. Other white space is part of the value (RFC 5322 §2.2.2). */
function trimBlanks(text: string): string {
  const isBlank = (at: number) => text[at] === ' ' || text[at] === '\t';
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return text.slice(start, end);
}

/** Characters that break a line in a header, on a screen or by Unicode (UAX #14). U+0000 cannot be stored. */
const LINE_BREAKS = /[\0\n\v\f\r\u0085\u2028\u2029]+/g;

/**
 * Folds a subject or a name to one line: encoded words (RFC 2047) may contain line breaks. Like `foldLines`, but also
 * handles U+0000. Separate, because a parser process imports nothing from the service.
 */
export function foldHeaderText(text: string): string {
  return text.replaceAll(LINE_BREAKS, ' ').trim();
}

/** Returns the first header with a name, given in lowercase. */
export function headerOf(headers: readonly MailHeader[], key: string): string | undefined {
  return headers.find((header) => header.key === key)?.value;
}

/** Scanned suffix of a header with Message-IDs, in UTF-16 units. */
const HEADER_MAX_LENGTH = 100_000;

/**
 * Returns the unique Message-IDs of a header, with brackets (RFC 5322 §3.6.4). A long list is reduced to the first and
 * the newest ids, which are last, as mail programs do.
 */
export function parseMessageIds(header: string | undefined): string[] {
  const text = (header ?? '').slice(-HEADER_MAX_LENGTH);
  const ids = new Set<string>();
  for (let start = text.indexOf('<'); start !== -1; start = text.indexOf('<', start + 1)) {
    const end = text.indexOf('>', start);
    if (end === -1) break;
    const id = text.slice(start, end + 1);
    if (isMessageId(id)) ids.add(id);
    start = end;
  }
  const all = [...ids];
  return all.length > REFERENCES_MAX ? [...all.slice(0, 1), ...all.slice(1 - REFERENCES_MAX)] : all;
}

/** Returns the Message-ID of a mail; null when it is missing or invalid. */
export function parseMessageId(header: string | undefined): string | null {
  return parseMessageIds(header)[0] ?? null;
}

/** Returns the Date header as sent, for comparisons; null when it is missing. */
export function parseDateHeader(headers: readonly MailHeader[]): string | null {
  return foldHeaderText(headerOf(headers, 'date')?.slice(0, 200) ?? '') || null;
}

function isMessageId(id: string): boolean {
  return id.length > 2 && id.length <= MESSAGE_ID_MAX_LENGTH && !/[\s\0]/.test(id) && id.isWellFormed();
}

/** Values of Precedence that forbid automatic answers (RFC 3834 §2), and those that auto-responders set. */
const BULK = new Set(['bulk', 'junk', 'list']);
const AUTO_PRECEDENCES = new Set(['auto_reply', 'auto-reply']);
/** Headers that only auto-responders set. */
const AUTO_HEADERS = ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-reply', 'x-mail-autoreply'];
const LIST_HEADERS = ['list-id', 'list-post'];
/** Authors that are no person. A person may write as postmaster. */
const DAEMONS = new Set(['mailer-daemon', 'mailerdaemon', 'mail-daemon', 'maildaemon']);

/**
 * Detects mail that a machine sent (docs/rulings.md 3.20): marked as automatic (RFC 3834 §5), from a list (RFC 2919), or
 * with the null return path (RFC 5321 §4.5.5). Headers that only forbid automatic answers do not count.
 * @param envelopeFrom envelope sender; empty for the null return path, undefined when unknown
 * @param fromAddress address of the From header, in lowercase
 * @returns the reason, or null for a mail from a person
 */
export function detectAutomatic(mail: {
  headers: readonly MailHeader[];
  envelopeFrom: string | undefined;
  fromAddress: string | undefined;
  fromName?: string | undefined;
}): AutomaticReason | null {
  const { headers, fromAddress } = mail;
  const contentType = headerOf(headers, 'content-type')?.slice(0, 500).toLowerCase() ?? '';
  if (firstToken(contentType) === 'multipart/report') {
    return /disposition-notification|feedback-report/.test(contentType) ? 'receipt' : 'report';
  }
  if (firstToken(contentType) === 'message/delivery-status') return 'report';
  const submitted = firstToken(headerOf(headers, 'auto-submitted'));
  if (!['', 'no', 'auto-generated'].includes(submitted)) return 'auto_submitted';
  if (AUTO_HEADERS.some((key) => isSet(headerOf(headers, key)))) return 'auto_submitted';
  if (AUTO_PRECEDENCES.has(firstToken(headerOf(headers, 'precedence')))) return 'auto_submitted';
  if (hasNullReturnPath(mail) || DAEMONS.has(localPartOf(fromAddress))) return 'no_return_path';
  // Last, because these do not count for every sender (`chooseAuthor`).
  if (submitted === 'auto-generated' && !isRedirected(mail) && !isFromAgent(mail)) {
    return isByRule(headers) ? 'mailbox_rule' : 'auto_generated';
  }
  return LIST_HEADERS.some((key) => isSet(headerOf(headers, key))) ? 'list' : null;
}

/** Returns whether a rule of an Exchange mailbox wrote the mail's `Auto-Submitted`. */
function isByRule(headers: readonly MailHeader[]): boolean {
  const source = headerOf(headers, 'x-ms-exchange-generated-message-source');
  return (source ?? '').trim().toLowerCase() === 'mailbox rules agent';
}

/**
 * Returns whether a rule of another mailbox than the author's redirected the mail, which leaves its author and text unchanged. What the
 * author's own mailbox answers by a rule, such as an absence note, is not resent.
 */
function isRedirected({ headers, fromAddress }: Parameters<typeof detectAutomatic>[0]): boolean {
  const mailboxes = headers.filter(({ key }) => key === 'x-ms-exchange-inbox-rules-loop');
  return (
    isByRule(headers) &&
    isSet(headerOf(headers, 'resent-from')) &&
    mailboxes.every(({ value }) => value.trim().toLowerCase() !== fromAddress)
  );
}

/**
 * Returns whether a person wrote the mail in Zendesk, which marks all its mail as `auto-generated`. Its own notices lack the name of an
 * agent before that of the company, as in `Mia Berg (Acme)`.
 */
function isFromAgent({ headers, fromName = '' }: Parameters<typeof detectAutomatic>[0]): boolean {
  return isSet(headerOf(headers, 'x-zendesk-from-account-id')) && /\S \([^()]+\)$/.test(fromName);
}

/**
 * Returns whether the headers forbid automatic answers: `Precedence`, `List-Unsubscribe`, and Exchange's
 * `X-Auto-Response-Suppress`. Mail of persons has them too, for example from servers that add them to everything.
 */
export function forbidsAutomaticAnswers(headers: readonly MailHeader[]): boolean {
  const suppressed = headerOf(headers, 'x-auto-response-suppress')?.slice(0, 200).toLowerCase() ?? '';
  return (
    BULK.has(firstToken(headerOf(headers, 'precedence'))) ||
    isSet(headerOf(headers, 'list-unsubscribe')) ||
    /\b(?:all|oof|autoreply)\b/.test(suppressed)
  );
}

/**
 * Returns whether a mail server sent the mail, by the null return path or the author's address. The absence note of a
 * person also has the null return path, but says that it is a reply (RFC 3834 §5).
 */
export function isFromMailServer(mail: Parameters<typeof detectAutomatic>[0]): boolean {
  const { headers, fromAddress } = mail;
  const author = localPartOf(fromAddress);
  const isServer = DAEMONS.has(author) || author === 'postmaster';
  if (isServer || isSet(headerOf(headers, 'x-failed-recipients'))) return true;
  const isReply =
    fromAddress !== undefined && firstToken(headerOf(headers, 'auto-submitted')) === 'auto-replied';
  return hasNullReturnPath(mail) && !isReply;
}

function hasNullReturnPath({
  headers,
  envelopeFrom,
}: Omit<Parameters<typeof detectAutomatic>[0], 'fromAddress'>): boolean {
  const returnPath = envelopeFrom ?? headerOf(headers, 'return-path')?.trim();
  return returnPath === '' || returnPath === '<>';
}

function localPartOf(address = ''): string {
  return address.slice(0, Math.max(0, address.lastIndexOf('@')));
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '' && value.trim().toLowerCase() !== 'no';
}

/** Returns the text before the first separator, in lowercase. */
function firstToken(value: string | undefined): string {
  const text = (value ?? '').slice(0, 200).trim().toLowerCase();
  const end = text.search(/[\s;,(]/);
  return end === -1 ? text : text.slice(0, end);
}
