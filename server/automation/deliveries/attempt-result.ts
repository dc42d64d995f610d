/** What an attempt brought back. `excerpt` is the beginning of the receiver's answer, for the log. */
export type AttemptResult =
  | {
      kind: 'delivered' | 'rejected' | 'gone' | 'throttled' | 'failed' | 'redirected';
      answer: ReceiverResponse;
    }
  | { kind: 'timed_out' | 'unreachable'; error: string };

export type ReceiverResponse = { statusCode: number; excerpt: string; retryAfter: string | null };

/** Names an answer by its status (spec.md §3, event delivery; a redirect counts like a fault of the receiver). */
export function resultOfResponse(answer: ReceiverResponse): AttemptResult {
  const { statusCode } = answer;
  if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered', answer };
  if (statusCode === 410) return { kind: 'gone', answer };
  if (statusCode === 429) return { kind: 'throttled', answer };
  if (statusCode >= 400 && statusCode < 500) return { kind: 'rejected', answer };
  if (statusCode >= 300 && statusCode < 400) return { kind: 'redirected', answer };
  return { kind: 'failed', answer };
}

/** Whether the receiver answered, and with an error: what the 50 consecutive errors of a hook are made of. */
export function isErrorStatus(result: AttemptResult): boolean {
  return 'answer' in result && result.kind !== 'delivered';
}
