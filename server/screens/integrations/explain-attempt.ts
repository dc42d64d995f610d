import type { AttemptOutcome } from '#server/generated/prisma/enums.ts';
import type { CertificateProblem } from '#server/screens/integrations/views.ts';

export type LoggedAttempt = {
  outcome: AttemptOutcome;
  statusCode: number | null;
  error: string | null;
  retryAfter: string | null;
};

/** Explains the outcome of an attempt in one sentence, without technical terms. */
export function explainAttempt(attempt: LoggedAttempt, platformName: string): string {
  const { outcome, statusCode, error, retryAfter } = attempt;
  const status = statusCode === null ? '' : ` (${statusCode})`;
  switch (outcome) {
    case 'delivered':
      return `${platformName} accepted the event${status}.`;
    case 'rejected':
      return `${platformName} refused the event${status}${REFUSALS[statusCode ?? 0] ?? ''}.`;
    case 'gone':
      return `${platformName} reported that this workflow is gone${status}.`;
    case 'throttled':
      return `${platformName} asked us to slow down${status}${pause(retryAfter)}.`;
    case 'failed':
      return `${platformName} had an internal error${status}.`;
    case 'redirected':
      return `${platformName} redirected to another address${status}. Redirects are not followed.`;
    case 'timed_out':
      // The error is a sentence: the time limit for the connection or the response.
      return error ?? 'There was no response in time.';
    case 'unreachable':
      return explainUnreachable(error, platformName);
  }
}

/** The likely reason of a refusal, by status code. */
const REFUSALS: Record<number, string> = {
  400: ' because it could not read it',
  401: ' because it does not allow it',
  403: ' because it does not allow it',
  404: ' because it has no workflow at this address',
  408: ' because it took too long to arrive',
  413: ' because it is too large',
  422: ' because it could not use it',
};

/** The receiver's Retry-After. The retry schedule does not follow it. */
function pause(retryAfter: string | null): string {
  if (retryAfter === null) return '';
  return /^\d+$/.test(retryAfter) ? ` and to wait ${retryAfter} seconds` : ' and to wait';
}

const EXPIRED_CERTIFICATE = /^CERT_HAS_EXPIRED/;
const UNTRUSTED_CERTIFICATE = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/** Returns the problem with the receiver's certificate, or null if the attempt failed for another reason. */
export function findCertificateProblem(error: string | null): CertificateProblem | null {
  if (EXPIRED_CERTIFICATE.test(error ?? '')) return 'expired';
  return UNTRUSTED_CERTIFICATE.test(error ?? '') ? 'untrusted' : null;
}

/** Keyed by the code at the start of the error, as Node, OpenSSL and the HTTP client name it. */
const FAULTS: [RegExp, (platformName: string) => string][] = [
  [/^(ENOTFOUND|EAI_)/, (name) => `The address of ${name} could not be found on the internet.`],
  [/^ECONNREFUSED/, (name) => `${name} refused the connection.`],
  [
    /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|ECONNABORTED)/,
    (name) => `${name} closed the connection before it responded.`,
  ],
  [EXPIRED_CERTIFICATE, (name) => `The certificate of ${name} has expired, so nothing was sent.`],
  [UNTRUSTED_CERTIFICATE, (name) => `The certificate of ${name} could not be trusted, so nothing was sent.`],
  [/^(ERR_SSL|ERR_TLS|EPROTO)/, (name) => `A secure connection to ${name} could not be established.`],
  [
    /^(ENETUNREACH|EHOSTUNREACH|ENETDOWN|EHOSTDOWN)/,
    (name) => `${name} could not be reached over the network.`,
  ],
  [/^ETIMEDOUT/, (name) => `${name} did not accept the connection in time.`],
  [/^(HPE_|UND_ERR)/, (name) => `The response from ${name} could not be understood.`],
  [/^The address is not on/, (name) => `The address does not belong to ${name}, so nothing was sent.`],
];

function explainUnreachable(error: string | null, platformName: string): string {
  const explain = FAULTS.find(([code]) => code.test(error ?? ''))?.[1];
  return explain?.(platformName) ?? `${platformName} could not be reached.`;
}
