/**
 * Why a mail did not leave, by what may be done: `temporary`, nothing was taken and it may be sent again later; `refused`,
 * it will not be taken; `unclear`, no one knows whether it was taken, so that it must not be sent again.
 */
export type MailFaultKind = 'temporary' | 'refused' | 'unclear';

/** A mail did not leave, or it is not known whether it did; `cause` says what happened. */
export class MailFault extends Error {
  override readonly name = 'MailFault';
  readonly kind: MailFaultKind;
  /** Whether the time was up. */
  readonly isTimeout: boolean;

  constructor(kind: MailFaultKind, cause: unknown, { isTimeout = false }: { isTimeout?: boolean } = {}) {
    super(`The mail did not leave (${kind}).`, { cause });
    this.kind = kind;
    this.isTimeout = isTimeout;
  }
}

/** How far the conversation with a mail server had come when it ended. */
export type SmtpProgress = {
  /** There was a connection. */
  connected: boolean;
  /** The mail itself was about to be handed over (the DATA command, RFC 5321 §3.3). */
  handedOver: boolean;
};

/** Codes of nodemailer for what the network did, not the mail server. */
const NETWORK = new Set(['ECONNECTION', 'ESOCKET', 'EDNS', 'ETIMEDOUT', 'ECONNREFUSED', 'ECONNRESET']);

/**
 * What an error of nodemailer means. A reply of 4xx or 5xx settles it (RFC 5321 §4.2.1); without one it depends on
 * whether the mail may already have been taken.
 */
export function judgeSmtpError(error: unknown, { handedOver }: SmtpProgress): MailFaultKind {
  const { responseCode, code } = fieldsOf(error);
  if (typeof responseCode === 'number' && responseCode >= 400) {
    return responseCode < 500 ? 'temporary' : 'refused';
  }
  if (handedOver) return 'unclear';
  return typeof code === 'string' && NETWORK.has(code) ? 'temporary' : 'refused';
}

function fieldsOf(error: unknown): { responseCode?: unknown; code?: unknown } {
  return typeof error === 'object' && error !== null ? error : {};
}
