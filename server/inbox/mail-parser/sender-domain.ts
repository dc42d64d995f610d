import { getDomain } from 'tldts';
import type { MailEnvelope } from '#server/inbox/mail-parser/authenticate-mail.ts';

/**
 * Returns the domain that SPF judges, in lowercase: that of the envelope's sender, else the name that the server gives itself
 * (RFC 7208 §2.4). Empty when there is neither.
 */
export function senderDomain({ from, helo }: Pick<MailEnvelope, 'from' | 'helo'>): string {
  return (from.slice(from.lastIndexOf('@') + 1) || (helo ?? '')).toLowerCase();
}

/** Returns the domain that one organization registered, below the public suffix; a domain without one stands for itself. */
export function organizationOf(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain.toLowerCase();
}
