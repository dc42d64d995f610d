import type { AttemptResult } from '#server/automation/deliveries/attempt-result.ts';
import type { DeliveryOutcome } from '#server/generated/prisma/enums.ts';

/** What follows an attempt: another one after some seconds, or the end of the delivery. */
export type NextStep =
  | { kind: 'retry'; delaySeconds: number }
  | { kind: 'end'; outcome: Exclude<DeliveryOutcome, 'cancelled'>; removesHook: boolean };

/**
 * The contract's rule (spec.md §3, event delivery): `2xx` is delivered, `410` removes the hook, another `4xx`
 * than `429` is dropped, the rest is tried again while delays are left.
 * @param attempt counts from 1
 * @param delays seconds before attempts 2, 3 …
 */
export function planNextAttempt(result: AttemptResult, attempt: number, delays: number[]): NextStep {
  if (result.kind === 'delivered') return { kind: 'end', outcome: 'delivered', removesHook: false };
  if (result.kind === 'gone') return { kind: 'end', outcome: 'dropped', removesHook: true };
  if (result.kind === 'rejected') return { kind: 'end', outcome: 'dropped', removesHook: false };
  const delaySeconds = delays[attempt - 1];
  if (delaySeconds === undefined) return { kind: 'end', outcome: 'exhausted', removesHook: false };
  return { kind: 'retry', delaySeconds };
}
