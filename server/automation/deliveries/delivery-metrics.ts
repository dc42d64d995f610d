import { EVENT_KEYS, type EventKey } from '#server/contract/event-catalogue.ts';
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
  help: 'Events fanned out to listening hooks, by key.',
  labels: { event: EVENT_KEYS },
});

export function countAttempt({ outcome, seconds }: { outcome: AttemptOutcome; seconds: number }): void {
  attempts.inc({ outcome });
  attemptSeconds.observe(seconds);
}

export function countEvents(byKey: Partial<Record<EventKey, number>>): void {
  for (const [event, count] of Object.entries(byKey)) events.inc({ event }, count);
}
