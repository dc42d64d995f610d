import { headerOf, type MailHeader } from '#server/inbox/mail-parser/mail-headers.ts';
import type { AutomaticReason } from '#server/inbox/mail-parser/parsed-mail.ts';

const BULK = new Set(['bulk', 'junk', 'list', 'auto_reply', 'auto-reply']);
/** What programs set that answer by themselves, and that no person's mail has. */
const AUTO_HEADERS = ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-reply', 'x-mail-autoreply'];
const LIST_HEADERS = ['list-id', 'list-unsubscribe', 'list-post'];
const DAEMONS = new Set(['mailer-daemon', 'postmaster']);

/**
 * Whether a machine sent a mail: by its own word (RFC 3834 §5), for a list (RFC 2919), in bulk, or with an empty return
 * path, which no one is to answer (RFC 5321 §4.5.5).
 * @param envelopeFrom as the sending server gave it; an empty text is the empty return path, undefined is not known
 * @param fromAddress of the From header, in lowercase
 * @returns why, or null for a person's mail
 */
export function detectAutomatic(given: {
  headers: readonly MailHeader[];
  envelopeFrom: string | undefined;
  fromAddress: string | undefined;
}): AutomaticReason | null {
  const { headers, envelopeFrom, fromAddress } = given;
  const contentType = firstToken(headerOf(headers, 'content-type'));
  if (contentType === 'multipart/report') return 'report';
  const submitted = firstToken(headerOf(headers, 'auto-submitted'));
  if (submitted !== '' && submitted !== 'no') return 'auto_submitted';
  if (AUTO_HEADERS.some((key) => isSet(headerOf(headers, key)))) return 'auto_submitted';
  // Exchange's own word for "no one wrote this, do not answer".
  if (firstToken(headerOf(headers, 'x-auto-response-suppress')).startsWith('all')) return 'auto_submitted';
  if (LIST_HEADERS.some((key) => isSet(headerOf(headers, key)))) return 'list';
  if (BULK.has(firstToken(headerOf(headers, 'precedence')))) return 'precedence';
  const returnPath = envelopeFrom ?? headerOf(headers, 'return-path')?.trim();
  if (returnPath === '' || returnPath === '<>') return 'no_return_path';
  const local = fromAddress?.slice(0, Math.max(0, fromAddress.lastIndexOf('@'))) ?? '';
  return DAEMONS.has(local) ? 'no_return_path' : null;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '' && value.trim().toLowerCase() !== 'no';
}

/** The text before the first parameter, space or comma, in lowercase. */
function firstToken(value: string | undefined): string {
  const text = (value ?? '').slice(0, 200).trim().toLowerCase();
  const end = text.search(/[\s;,(]/);
  return end === -1 ? text : text.slice(0, end);
}
