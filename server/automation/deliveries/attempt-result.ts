import type { DeliveryOutcome } from '#server/generated/prisma/enums.ts';

/** The outcome of an attempt. `excerpt` is the start of the receiver's response, for the log. */
export type AttemptResult =
  | {
      kind: 'delivered' | 'rejected' | 'gone' | 'throttled' | 'failed' | 'redirected';
      response: ReceiverResponse;
    }
  | { kind: 'timed_out' | 'unreachable'; error: string };

export type ReceiverResponse = { statusCode: number; excerpt: string; retryAfter: string | null };

/**
 * Classifies a response by its status (docs/spec.md §3, event delivery). A redirect counts as a failure of
 * the receiver.
 */
export function resultOfResponse(response: ReceiverResponse): AttemptResult {
  const { statusCode } = response;
  if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered', response };
  if (statusCode === 410) return { kind: 'gone', response };
  if (statusCode === 429) return { kind: 'throttled', response };
  if (statusCode >= 400 && statusCode < 500) return { kind: 'rejected', response };
  if (statusCode >= 300 && statusCode < 400) return { kind: 'redirected', response };
  return { kind: 'failed', response };
}

/**
 * Returns whether the receiver responded with an error, which counts towards the 50 consecutive errors of a
 * hook.
 */
export function isErrorStatus(result: AttemptResult): boolean {
  return 'response' in result && result.kind !== 'delivered';
}

export type NextAttempt =
  | { kind: 'retry'; delaySeconds: number }
  | { kind: 'end'; outcome: Exclude<DeliveryOutcome, 'cancelled'>; removesHook: boolean };

/**
 * Decides what follows an attempt (docs/spec.md §3, event delivery): `2xx` is delivered, `410` removes the
 * hook, any other `4xx` except `429` is dropped. Everything else is retried while delays are left.
 * @param attempt number of the attempt, from 1
 * @param delays seconds before attempts 2, 3 …
 */
export function planNextAttempt(result: AttemptResult, attempt: number, delays: number[]): NextAttempt {
  if (result.kind === 'delivered') return { kind: 'end', outcome: 'delivered', removesHook: false };
  if (result.kind === 'gone') return { kind: 'end', outcome: 'dropped', removesHook: true };
  if (result.kind === 'rejected') return { kind: 'end', outcome: 'dropped', removesHook: false };
  const delaySeconds = delays[attempt - 1];
  if (delaySeconds === undefined) return { kind: 'end', outcome: 'exhausted', removesHook: false };
  return { kind: 'retry', delaySeconds };
}

/**
 * Decides what follows an attempt for a webhook endpoint, as Standard Webhooks says: `2xx` is delivered, `410` pauses the
 * endpoint, and everything else is retried while delays are left.
 */
export function planNextSigned(result: AttemptResult, attempt: number, delays: number[]): NextAttempt {
  const retried = result.kind === 'rejected' ? { ...result, kind: 'failed' as const } : result;
  return planNextAttempt(retried, attempt, delays);
}

export type AttemptedDelivery = {
  id: string;
  eventId: string;
  eventKey: string;
  isForEndpoint: boolean;
  hookId: string;
  workspaceId: string;
};

/** A completed attempt with the next step. `number` counts from 1. */
export type MadeAttempt = {
  delivery: AttemptedDelivery;
  number: number;
  startedAt: Date;
  durationMs: number;
  result: AttemptResult;
  next: NextAttempt;
};
