import { toMailAddresses } from '#server/inbox/mail-parser/mail-addresses.ts';
import type { MailAddress } from '#server/inbox/mail-parser/parsed-mail.ts';

/** Maximum parsed length of a row, in UTF-16 units. */
const ROW_MAX_LENGTH = 400;
/** `<mia@acme.example>`, `[mailto:mia@acme.example]`, or only the address. */
const ADDRESSES = /[<[(]?\s?(?:mailto:)?([^\s<>[\]()"',;:|*]{1,64}@[^\s<>[\]()"',;:|*@]{1,255})/gi;

/**
 * Returns the name and the address in a row of a mail's text, for example of `From: Mia <mia@acme.example>`. The row may
 * repeat the address, as mail programs that link it do.
 * @param value the text after the label
 * @returns null for no address, and for several ones
 */
export function parseRowAddress(value: string): MailAddress | null {
  const text = value.slice(0, ROW_MAX_LENGTH);
  const found = [...text.matchAll(ADDRESSES)];
  const name = text
    .slice(0, found[0]?.index ?? 0)
    .replaceAll(/[*"“”„\s]+/g, ' ')
    .trim();
  const [address, ...others] = toMailAddresses(
    found.map((match) => ({ name, address: withoutLastDots(match[1] ?? '') })),
  );
  return address && others.every((other) => other.address === address.address) ? address : null;
}

function withoutLastDots(text: string): string {
  let end = text.length;
  while (text[end - 1] === '.') end -= 1;
  return text.slice(0, end);
}
