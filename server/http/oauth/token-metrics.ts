import { TOKEN_ERROR_STATUSES, type TokenError } from '#server/automation/oauth/token-error.ts';
import { counter } from '#server/core/metrics/declare-metrics.ts';

/** What a token request came to: tokens, an error of RFC 6749, or a fault of ours. */
type TokenResult = 'issued' | TokenError['error'] | 'fault';
const GRANTS = ['authorization_code', 'refresh_token', 'unknown'] as const;
export type Grant = (typeof GRANTS)[number];

const tokens = counter({
  name: 'inbox_tokens_total',
  help: 'Answers of the token endpoint, by grant and result.',
  labels: { grant: GRANTS, result: ['issued', ...Object.keys(TOKEN_ERROR_STATUSES), 'fault'] },
});
const revocations = counter({
  name: 'inbox_revocations_total',
  help: 'Answers of the revoke endpoint, by result.',
  labels: { result: ['answered', 'invalid_client', 'invalid_request', 'fault'] },
});

/** Counts a response of the token endpoint. Calls that its limit refused are counted by the limit. */
export function countTokenResponse(grant: Grant, result: TokenResult): void {
  tokens.inc({ grant, result });
}

/** Counts a response of the revoke endpoint: `answered`, also for a token it does not know, or an error. */
export function countRevocation(result: 'answered' | Exclude<TokenResult, 'issued'>): void {
  revocations.inc({ result });
}
