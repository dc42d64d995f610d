import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { invalid } from '#server/core/errors.ts';

/** As long as an address can be, with room for what no mail server would take (RFC 5321 §4.5.3.1). */
const ADDRESS_MAX_LENGTH = 320;

/**
 * The address in lowercase, or undefined when the text is none; it may have no white space around it. An address is
 * what browsers take for one (HTML, `input type=email`), on a domain with a dot.
 */
export function parseEmail(text: string): string | undefined {
  if (text.length > ADDRESS_MAX_LENGTH) return undefined;
  const dot = text.indexOf('.', text.indexOf('@') + 2);
  if (dot === -1 || dot === text.length - 1) return undefined;
  // Judged before it is lowered: some letters that no address may hold have an ASCII letter in lowercase.
  return z.regexes.html5Email.test(text) ? text.toLowerCase() : undefined;
}

/** The longest address to which a mail can be sent (RFC 5321 §4.5.3.1.3). */
const SENDABLE_MAX_LENGTH = 254;

/**
 * The address that was typed into a form, without the space around it: one to which a mail can be sent.
 * @throws Refusal under `email` when it is none
 */
export function requireEmail(typed: string): string {
  const given = typed.trim();
  const email = given.length > SENDABLE_MAX_LENGTH ? undefined : parseEmail(given);
  if (email === undefined) {
    throw invalid({ email: ['Enter a complete email address, for example ada@example.com.'] });
  }
  return email;
}

const DOMAIN_MAX_LENGTH = 253;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** At least two labels, and the last one no number: then it would be an address of a machine. */
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`);
/** What is in addresses around a domain: read as one, `example.com/x` would pass for `example.com`. */
const AROUND = /[\s/\\?#:@%]/;

const NO_DOMAIN = 'Enter the domain of your email addresses, for example example.com.';

/**
 * A domain as it was typed, in the form in which the network knows it: lowercase, other scripts in ASCII.
 * @param problem what is said of what is no domain
 * @throws Refusal for what is none
 */
export function parseDomain(typed: string, problem: string = NO_DOMAIN): string {
  // Other scripts are shorter before they are written in ASCII; accents alone make them a little longer.
  const name = typed
    .trim()
    .slice(0, 4 * DOMAIN_MAX_LENGTH)
    .replace(/\.$/, '');
  const domain = AROUND.test(name) ? '' : domainToASCII(name).toLowerCase();
  if (domain.length <= DOMAIN_MAX_LENGTH && DOMAIN.test(domain)) return domain;
  throw invalid({ domain: [problem] });
}
