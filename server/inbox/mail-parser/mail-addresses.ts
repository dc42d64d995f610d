import { type Address, addressParser, decodeWords } from 'postal-mime';
import { asciiEmail } from '#server/core/email-domain.ts';
import {
  foldHeaderText,
  headerOf,
  parseHeaderSection,
  parseMailHeaders,
} from '#server/inbox/mail-parser/mail-headers.ts';
import { ADDRESSES_MAX } from '#server/inbox/mail-parser/mail-limits.ts';
import type { MailAddress } from '#server/inbox/mail-parser/parsed-mail.ts';

const NAME_MAX_LENGTH = 160;
const ADDRESS_MAX_LENGTH = 254;
/** Parsed prefix of an address header, in UTF-16 units. */
const HEADER_MAX_LENGTH = 2_000;

/** An address with an atom or a quoted string as local part (RFC 5322 §3.4.1), without control characters. */
const ADDRESS = /^(?:[^\s@<>"]+|"(?:[^"\\<>\p{C}]|\\[^<>\p{C}])+")@[^\s@<>"]+$/u;
/** A header value that is a single address with a quoted local part: postal-mime would drop the quotes. */
const QUOTED_ADDRESS = /^"(?:[^"\\]|\\.)+"@[^\s@<>"(),:;]+$/;

/** Decodes encoded words in a header (RFC 2047), and folds it to one line. */
export function parseWords(header: string): string {
  return foldHeaderText(decodeWords(header.slice(0, HEADER_MAX_LENGTH)));
}

/** Returns the valid addresses, in lowercase, with their domains in ASCII. Groups are expanded. */
export function toMailAddresses(addresses: Address[]): MailAddress[] {
  return addresses
    .flatMap((address) => (address.group ? address.group : [address]))
    .slice(0, ADDRESSES_MAX)
    .map(({ name, address }) => ({
      name: foldHeaderText(name.slice(0, NAME_MAX_LENGTH)),
      address: asciiEmail((address ?? '').trim()),
    }))
    .filter(({ address }) => address.length <= ADDRESS_MAX_LENGTH && ADDRESS.test(address));
}

export function parseAddresses(header: string): MailAddress[] {
  return toMailAddresses(addressesIn(header));
}

function addressesIn(header: string): Address[] {
  const value = header.slice(0, HEADER_MAX_LENGTH).trim();
  if (QUOTED_ADDRESS.test(value)) return [{ name: '', address: value }];
  return addressParser(value);
}

type MailAuthor = {
  /** First valid address of the first From field; null when there is none. */
  author: MailAddress | null;
  /** Name in the first From field, also without an address. */
  name: string;
  /** False when another parser may find another author. Such a mail is never verified. */
  isUnambiguous: boolean;
};

/**
 * Determines the author of a mail. Authentication evaluates this author and the inbox shows this author, so no mail can
 * pass for one address and show another address.
 */
export function parseAuthor(raw: Uint8Array): MailAuthor {
  const { headers, isWellFormed } = parseHeaderSection(raw);
  const fields = headers.filter(({ key }) => key === 'from');
  const value = fields[0]?.value ?? '';
  const named = addressesIn(value);
  const isOne =
    fields.length === 1 &&
    named.length === 1 &&
    (named[0]?.group?.length ?? 1) === 1 &&
    value.length <= HEADER_MAX_LENGTH;
  const author = toMailAddresses(named)[0] ?? null;
  const legacy = value.includes('\ufffd') ? legacyName(raw) : undefined;
  return {
    author: author && { ...author, name: legacy ?? author.name },
    name: legacy ?? foldHeaderText((named[0]?.name ?? '').slice(0, NAME_MAX_LENGTH)),
    isUnambiguous: isWellFormed && isOne && !isOddlySpaced(value),
  };
}

/** Returns whether a field has a comment, and outside of it white space that only some parsers take for the end of an address. */
function isOddlySpaced(value: string): boolean {
  const outside = value.replaceAll(/\([^()]*\)/g, '');
  return outside !== value && /[^\S \t\r\n]|\u0085/.test(outside);
}

/** Returns the name in a From field of raw bytes. Its address is read as UTF-8 only, as the authentication reads it. */
function legacyName(raw: Uint8Array): string {
  const named = addressesIn(headerOf(parseMailHeaders(raw), 'from') ?? '');
  return foldHeaderText((named[0]?.name ?? '').slice(0, NAME_MAX_LENGTH));
}
