import { type Address, addressParser } from 'postal-mime';
import { foldHeaderText, parseHeaderSection } from '#server/inbox/mail-parser/mail-headers.ts';
import { ADDRESSES_MAX } from '#server/inbox/mail-parser/mail-limits.ts';
import type { MailAddress } from '#server/inbox/mail-parser/parsed-mail.ts';

const NAME_MAX_LENGTH = 160;
const ADDRESS_MAX_LENGTH = 254;
/** How much of a header with addresses is parsed, in UTF-16 units. */
const HEADER_MAX_LENGTH = 2_000;

/** An address whose local part is an atom or a quoted string (RFC 5322 §3.4.1), without control characters. */
const ADDRESS = /^(?:[^\s@<>"]+|"(?:[^"\\<>\p{C}]|\\[^<>\p{C}])+")@[^\s@<>"]+$/u;
/** A whole header value that is one address with a quoted local part: postal-mime drops its quotes. */
const QUOTED_ADDRESS = /^"(?:[^"\\]|\\.)+"@[^\s@<>"(),:;]+$/;

/** Returns the usable addresses, in lowercase, with members of groups. */
export function toMailAddresses(addresses: Address[]): MailAddress[] {
  return addresses
    .flatMap((address) => (address.group ? address.group : [address]))
    .slice(0, ADDRESSES_MAX)
    .map(({ name, address }) => ({
      name: foldHeaderText(name.slice(0, NAME_MAX_LENGTH)),
      address: (address ?? '').trim().toLowerCase(),
    }))
    .filter(({ address }) => address.length <= ADDRESS_MAX_LENGTH && ADDRESS.test(address));
}

/** Parses the addresses of a header value. */
export function parseAddresses(header: string): MailAddress[] {
  return toMailAddresses(addressesIn(header));
}

function addressesIn(header: string): Address[] {
  const value = header.slice(0, HEADER_MAX_LENGTH).trim();
  if (QUOTED_ADDRESS.test(value)) return [{ name: '', address: value }];
  return addressParser(value);
}

/** The author of a mail. */
type MailAuthor = {
  /** The first usable address of the first From field; null when there is none. */
  author: MailAddress | null;
  /** False when another parser may find another author; such a mail is never verified. */
  isUnambiguous: boolean;
};

/**
 * Decides who the author of a mail is. Authentication judges this author and the inbox shows this author, so that no mail
 * passes for one address and shows another one.
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
  return { author: toMailAddresses(named)[0] ?? null, isUnambiguous: isWellFormed && isOne };
}
