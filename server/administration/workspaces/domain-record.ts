import { newSecret } from '#server/core/secrets.ts';

/** What the owner of a domain puts into its DNS to show that it is theirs. */
export type DomainRecord = { type: 'TXT'; name: string; value: string };

/** A name of its own, so that the record meets neither others of the domain nor an alias of it. */
const LABEL = '_inbox-verification';
const PREFIX = 'inbox-verification=';

/** What is stored with a new domain: the text that its record is to hold. */
export function newVerificationText(): string {
  return PREFIX + newSecret();
}

/** The record that verifies a domain. */
export function domainRecord({
  domain,
  verificationToken,
}: {
  domain: string;
  verificationToken: string;
}): DomainRecord {
  return { type: 'TXT', name: `${LABEL}.${domain}`, value: verificationToken };
}
