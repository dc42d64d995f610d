import { domainToASCII, domainToUnicode } from 'node:url';

/** Characters that `domainToASCII` would read as the end of a domain, as in a URL. */
const AROUND = /[\s/\\?#:@%]/;

/**
 * Returns an address in lowercase with its domain in ASCII: `info@müller.example` and `info@xn--mller-kva.example` are one
 * address (RFC 5890; docs/rulings.md 1.10). A domain that is not valid stays as it is.
 */
export function asciiEmail(email: string): string {
  const address = email.toLowerCase();
  const [local, domain] = splitEmail(address);
  if (/^[\x20-\x7e]*$/.test(domain) || AROUND.test(domain)) return address;
  return `${local}${domainToASCII(domain) || domain}`;
}

/** Returns an address as screens show it: with its domain in Unicode. */
export function shownEmail<Email extends string | null>(email: Email): Email | string {
  if (email === null || !email.includes('xn--')) return email;
  const [local, domain] = splitEmail(email);
  const shown = domainToUnicode(domain);
  return domainToASCII(shown) === domain ? `${local}${shown}` : email;
}

/** Splits an address after its last `@`. */
function splitEmail(email: string): [local: string, domain: string] {
  const at = email.lastIndexOf('@') + 1;
  return [email.slice(0, at), email.slice(at)];
}
