import { type Grant, metrics, type TokenResult } from '#server/metrics/metrics.ts';

/** Counts an answer of the token endpoint. Calls that its limit refused are counted by the limit. */
export function countTokenAnswer(grant: Grant, result: TokenResult): void {
  metrics().tokens.inc({ grant, result });
}
