/**
 * Result for the From domain. `passed`: SPF or DKIM passes with alignment (RFC 7489 §3.1). `failed`: neither passes,
 * and the domain publishes records. `unknown`: the domain publishes nothing, or its name servers do not answer (docs/rulings.md 3.29).
 */
export type MailAuthentication = 'passed' | 'failed' | 'unknown';

export type AuthenticatedMail = {
  authentication: MailAuthentication;
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
  author: null,
  signedFields: [],
  isOpenDomain: false,
};
