/**
 * Kind of a failed send. `temporary`: not accepted, may be retried later. `refused`: will never be accepted. `unclear`: may have been
 * accepted, must not be retried.
 */
export type MailFaultKind = 'temporary' | 'refused' | 'unclear';

/** A mail was not sent, or may have been. `cause` has the details. */
export class MailFault extends Error {
  override readonly name = 'MailFault';
  readonly kind: MailFaultKind;
  /** True when the mail server accepted the connection and then did not respond in time. */
  readonly isTimeout: boolean;

  constructor(kind: MailFaultKind, cause: unknown, { isTimeout = false }: { isTimeout?: boolean } = {}) {
    super(`Sending the mail failed (${kind}).`, { cause });
    this.kind = kind;
    this.isTimeout = isTimeout;
  }
}

/** Progress of an SMTP session. */
export type SmtpProgress = {
  connected: boolean;
  /** The end of the mail was sent. Before that a server accepts nothing (RFC 5321 §4.1.1.4). */
  handedOver: boolean;
};

/** Codes of nodemailer for permanent failures: bad addresses, missing TLS, wrong credentials, an empty mail. */
const PERMANENT = new Set(['EENVELOPE', 'EMESSAGE', 'ETLS', 'EAUTH', 'ENOAUTH', 'EOAUTH2', 'ECONFIG']);

/**
 * Classifies an error of nodemailer by its reply of 4xx or 5xx (RFC 5321 §4.2.1). Without a reply, a mail whose end was sent may
 * have been accepted, and any other is retried later.
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
