import { getDomain } from 'tldts';
import type { MailEnvelope } from '#server/inbox/mail-parser/authenticate-mail.ts';

/**
 * Returns the domain that SPF evaluates, in lowercase: the domain of the envelope sender, else the HELO name (RFC 7208
 * §2.4). Empty when both are missing.
 */
export function senderDomain({ from, helo }: Pick<MailEnvelope, 'from' | 'helo'>): string {
  return (from.slice(from.lastIndexOf('@') + 1) || (helo ?? '')).toLowerCase();
}

/** Returns the registered domain below the public suffix, or the domain itself when there is none. */
export function organizationOf(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain.toLowerCase();
}

/**
 * Providers whose results are believed when they seal a mail that they forward (ARC, RFC 8617): they check each mail that they receive, and
 * anyone can tell who they are.
 */
const FORWARDERS: ReadonlySet<string> = new Set(['google.com', 'microsoft.com']);

export function isForwarder(domain: string): boolean {
  return FORWARDERS.has(domain.toLowerCase());
}
