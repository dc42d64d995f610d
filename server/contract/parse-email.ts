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
