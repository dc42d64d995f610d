import { domainToASCII } from 'node:url';
import { parseAddresses } from '#server/inbox/mail-parser/mail-addresses.ts';
import type { MailHeader } from '#server/inbox/mail-parser/mail-headers.ts';
import type { NamedAddress, RewrittenMail } from '#server/inbox/mail-parser/parsed-mail.ts';

/** Fields in which groups name the author of a mail whose From they rewrote, most complete first. */
const ORIGINAL_FIELDS = ['x-original-from', 'x-original-sender'];

/** Parsed prefix of a field, in UTF-16 units, and maximum number of fields and of addresses. */
const FIELD_MAX_LENGTH = 1_000;
const FIELDS_MAX = 10;
const LISTS_MAX = 30;

/**
 * Reads what a group or another forwarder wrote into a mail. Anyone can write these fields: `chooseAuthor` decides
 * which of them count.
 */
export function parseRewritten(headers: readonly MailHeader[]): RewrittenMail {
  const fields = (key: string) => headers.filter((header) => header.key === key).slice(0, FIELDS_MAX);
  const originals = ORIGINAL_FIELDS.flatMap((field) =>
    fields(field).flatMap(({ value }): NamedAddress[] => {
      const [address, ...others] = parseAddresses(value.slice(0, FIELD_MAX_LENGTH));
      return address && others.length === 0 ? [{ field, address }] : [];
    }),
  );
  const lists = ['list-id', 'list-post', 'mailing-list'].flatMap((field) =>
    fields(field)
      .flatMap(({ value }) => listAddresses(field, value.slice(0, FIELD_MAX_LENGTH).toLowerCase()))
      .map((address) => ({ field, address: { name: '', address } })),
  );
  return { originals, lists: lists.slice(0, LISTS_MAX) };
}

/** Returns the domain to look up for the original author of a rewritten mail. */
export function originalDomain(headers: readonly MailHeader[]): string | undefined {
  const address = parseRewritten(headers).originals[0]?.address.address;
  return address && (domainToASCII(address.slice(address.lastIndexOf('@') + 1)) || undefined);
}

function listAddresses(field: string, value: string): string[] {
  if (field === 'list-id') return addressesOfListId(value);
  return [...value.matchAll(/[^\s<>()[\],;:"@]{1,64}@[^\s<>()[\],;:"@?]{1,190}/g)].map(([found]) => found);
}

/** A List-ID (RFC 2919 §2) has dots only: each of them may replace the `@`. */
function addressesOfListId(value: string): string[] {
  const id = (/<([^<>\s]+)>/.exec(value)?.[1] ?? value.trim()).slice(0, 254);
  if (id.includes('@')) return [id];
  const labels = id.split('.').slice(0, FIELDS_MAX + 1);
  return labels.slice(1).map(
    (_, at) =>
      `${labels.slice(0, at + 1).join('.')}@${id
        .split('.')
        .slice(at + 1)
        .join('.')}`,
  );
}
