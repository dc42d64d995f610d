/**
 * Result for the From domain. `passed`: SPF or DKIM passes with alignment (RFC 7489 §3.1), or did before a provider forwarded the mail. `failed`: neither passes,
 * and the domain publishes records. `unknown`: the domain publishes nothing, or its name servers do not answer (docs/rulings.md 3.29).
 */
export type MailAuthentication = 'passed' | 'failed' | 'unknown';

/** Result of one check (RFC 8601 §2.7), and the domain that it is about. */
export type DomainCheck = { result: string; domain: string };

/**
 * What led to the result. `spf`: null for a mail that did not arrive over SMTP. `dkim`: its signatures, valid ones first.
 * `dmarc`: null when From has no domain. `forwarder`: domain of the provider whose results prove the author, because the others no longer do.
 */
export type SenderChecks = {
  spf: DomainCheck | null;
  dkim: DomainCheck[];
  dmarc: (DomainCheck & { policy: string | null }) | null;
  forwarder: string | null;
};

export type AuthenticatedMail = {
  authentication: MailAuthentication;
  /** Null when there is no single author whose domain could be checked. */
  checks: SenderChecks | null;
  /** The evaluated address, in lowercase; null when the mail does not have exactly one author. */
  author: string | null;
  /** Header fields that occur once and that a valid signature of the From domain covers, in lowercase. */
  signedFields: string[];
  /** The domain of the original author of a rewritten mail publishes no DMARC policy and no SPF. */
  isOpenDomain: boolean;
};

/** The result for a mail that could not be evaluated. */
export const UNAUTHENTICATED: AuthenticatedMail = {
  authentication: 'failed',
  checks: null,
  author: null,
  signedFields: [],
  isOpenDomain: false,
};
