import { parseWords } from '#server/inbox/mail-parser/mail-addresses.ts';
import type { MimePart } from '#server/inbox/mail-parser/parse-mime.ts';

/** Types of programs that do not know what they send. */
const GENERIC =
  /^(?:application\/(?:octet-stream|binary|(?:x-|force-)?download|(?:x-)?unknown)|binary\/octet-stream)$/;

/** Types that this parser reads, by the extension of the file name (RFC 8551 §3.2.1, RFC 5545 §8.1). */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  p7m: 'application/pkcs7-mime',
  p7s: 'application/pkcs7-signature',
  ics: 'text/calendar',
  eml: 'message/rfc822',
};

/**
 * Returns the type of a part. A part whose type says nothing has the one of its file name: many mail programs and gateways
 * send `smime.p7m` or `invite.ics` as `application/octet-stream`, or as a text without a type.
 */
export function partType(part: MimePart): string {
  const { type, disposition, dispositionName } = part;
  const isAttachedText = type === 'text/plain' && (disposition === 'attachment' || dispositionName !== null);
  if (!isAttachedText && !isGenericType(type)) return type;
  const extension = /\.(\w{3})$/.exec(fileName(part) ?? '')?.[1]?.toLowerCase() ?? '';
  return BY_EXTENSION[extension] ?? type;
}

/** Returns whether a content type says nothing about the file. */
export function isGenericType(type: string): boolean {
  return GENERIC.test(type);
}

/** Returns the file name of a part; null if it has none. */
export function fileName({ dispositionName, params }: MimePart): string | null {
  const name = parseWords((dispositionName ?? params.name ?? '').slice(0, 1_000));
  return name === '' ? null : name;
}
