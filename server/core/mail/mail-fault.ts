/**
 * Why a mail did not leave, by what may be done: `temporary`, nothing was taken and it may be sent again later; `refused`,
 * it will not be taken; `unclear`, no one knows whether it was taken, so that it must not be sent again.
 */
export type MailFaultKind = 'temporary' | 'refused' | 'unclear';

/** A mail did not leave, or it is not known whether it did; `cause` says what happened. */
export class MailFault extends Error {
  override readonly name = 'MailFault';
  readonly kind: MailFaultKind;
  /** Whether the mail server accepted the connection and then did not answer in time. */
  readonly isTimeout: boolean;

  constructor(kind: MailFaultKind, cause: unknown, { isTimeout = false }: { isTimeout?: boolean } = {}) {
    super(`The mail did not leave (${kind}).`, { cause });
    this.kind = kind;
    this.isTimeout = isTimeout;
  }
}

/** How far the conversation with a mail server had come when it ended. */
export type SmtpProgress = {
  connected: boolean;
  /** The end of the mail was sent. Until then a server takes nothing (RFC 5321 §4.1.1.4). */
  handedOver: boolean;
};

/** Codes of nodemailer for mails that no retry changes: bad addresses, a missing TLS, wrong credentials, an empty mail. */
const PERMANENT = new Set(['EENVELOPE', 'EMESSAGE', 'ETLS', 'EAUTH', 'ENOAUTH', 'EOAUTH2', 'ECONFIG']);

/**
 * Returns the kind of an error of nodemailer. A reply of 4xx or 5xx decides (RFC 5321 §4.2.1). Without one, a mail whose end
 * was sent may have been taken, and any other is sent again later.
 */
export function judgeSmtpError(error: unknown, { handedOver }: SmtpProgress): MailFaultKind {
  const { responseCode, code } = fieldsOf(error);
  if (typeof responseCode === 'number' && responseCode >= 400) {
    return responseCode < 500 ? 'temporary' : 'refused';
  }
  if (handedOver) return 'unclear';
  return typeof code === 'string' && PERMANENT.has(code) ? 'refused' : 'temporary';
}

function fieldsOf(error: unknown): { responseCode?: unknown; code?: unknown } {
  return typeof error === 'object' && error !== null ? error : {};
}
