import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { asciiEmail } from '#server/core/email-domain.ts';
import { invalid } from '#server/core/errors.ts';

/** Maximum length of an address, above every limit of a mail server (RFC 5321 §4.5.3.1). */
const ADDRESS_MAX_LENGTH = 320;

/**
 * Parses an email address as browsers do (HTML, `input type=email`), with a dot in the domain and no
 * surrounding white space.
 * @returns the address in lowercase with its domain in ASCII; undefined if invalid
 */
export function parseEmail(text: string): string | undefined {
  if (text.length > ADDRESS_MAX_LENGTH) return undefined;
  const at = text.lastIndexOf('@');
  // Only the domain is converted: some letters that are invalid before the `@` have an ASCII letter as their lowercase.
  const email = `${text.slice(0, at)}${asciiEmail(text.slice(Math.max(at, 0)))}`;
  const dot = email.indexOf('.', email.indexOf('@') + 2);
  if (dot === -1 || dot === email.length - 1) return undefined;
  return z.regexes.html5Email.test(email) ? email.toLowerCase() : undefined;
}

/** Maximum length of an address that mail can be sent to (RFC 5321 §4.5.3.1.3). */
const SENDABLE_MAX_LENGTH = 254;

/**
 * Parses a typed email address that mail can be sent to, ignoring surrounding white space.
 * @throws Refusal under `email` when the address is invalid
 */
export function requireEmail(typed: string): string {
  const trimmed = typed.trim();
  const email = trimmed.length > SENDABLE_MAX_LENGTH ? undefined : parseEmail(trimmed);
  if (email === undefined) {
    throw invalid({ email: ['Enter a complete email address, for example ada@example.com.'] });
  }
  return email;
}

const DOMAIN_MAX_LENGTH = 253;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** At least two labels; the last one is not numeric, as in an IP address. */
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`);
/**
 * Characters of URLs and addresses around a domain: without this check, `example.com/x` would pass as
 * `example.com`.
 */
const AROUND = /[\s/\\?#:@%]/;

const NO_DOMAIN = 'Enter the domain of your email addresses, for example example.com.';

/**
 * Parses a typed domain into its network form: lowercase ASCII, with other scripts in Punycode.
 * @param problem message for an invalid domain
 * @throws Refusal under `domain` when the domain is invalid
 */
export function parseDomain(typed: string, problem: string = NO_DOMAIN): string {
  // Cut before the conversion, with room to spare: only combining accents make the typed text longer than ASCII.
  const name = typed
    .trim()
    .slice(0, 4 * DOMAIN_MAX_LENGTH)
    .replace(/\.$/, '');
  const domain = AROUND.test(name) ? '' : domainToASCII(name).toLowerCase();
  if (domain.length <= DOMAIN_MAX_LENGTH && DOMAIN.test(domain)) return domain;
  throw invalid({ domain: [problem] });
}
