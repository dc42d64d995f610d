import { LOGGED_EVENT_KEYS, type LoggedEventKey } from '#server/contract/program-events.ts';
import { counter, histogram } from '#server/core/metrics/declare-metrics.ts';
import { AttemptOutcome } from '#server/generated/prisma/enums.ts';

const attempts = counter({
  name: 'inbox_delivery_attempts_total',
  help: 'Attempts to deliver an event, by outcome.',
  labels: { outcome: Object.values(AttemptOutcome) },
});
const attemptSeconds = histogram({
  name: 'inbox_delivery_attempt_seconds',
  help: 'Duration of an attempt, in seconds.',
  // An attempt takes at most 15 seconds (docs/spec.md §6).
  buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
});
const events = counter({
  name: 'inbox_events_total',
  help: 'Events fanned out to listening hooks and endpoints, by key.',
  labels: { event: LOGGED_EVENT_KEYS },
});

export function countAttempt({ outcome, seconds }: { outcome: AttemptOutcome; seconds: number }): void {
  attempts.inc({ outcome });
  attemptSeconds.observe(seconds);
}

export function countEvents(byKey: Partial<Record<LoggedEventKey, number>>): void {
  for (const [event, count] of Object.entries(byKey)) events.inc({ event }, count);
}
