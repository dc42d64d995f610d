/** What an attempt brought back. `excerpt` is the beginning of the receiver's response, for the log. */
export type AttemptResult =
  | {
      kind: 'delivered' | 'rejected' | 'gone' | 'throttled' | 'failed' | 'redirected';
      response: ReceiverResponse;
    }
  | { kind: 'timed_out' | 'unreachable'; error: string };

export type ReceiverResponse = { statusCode: number; excerpt: string; retryAfter: string | null };

/** Names a response by its status (spec.md §3, event delivery; a redirect counts like a fault of the receiver). */
export function resultOfResponse(response: ReceiverResponse): AttemptResult {
  const { statusCode } = response;
  if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered', response };
  if (statusCode === 410) return { kind: 'gone', response };
  if (statusCode === 429) return { kind: 'throttled', response };
  if (statusCode >= 400 && statusCode < 500) return { kind: 'rejected', response };
  if (statusCode >= 300 && statusCode < 400) return { kind: 'redirected', response };
  return { kind: 'failed', response };
}

/** Whether the receiver answered, and with an error: what the 50 consecutive errors of a hook are made of. */
export function isErrorStatus(result: AttemptResult): boolean {
  return 'response' in result && result.kind !== 'delivered';
}
