import { EVENT_KEYS, type EventKey } from '#server/contract/event-catalogue.ts';
import { counter, histogram } from '#server/core/metrics/declare-metrics.ts';
import { AttemptOutcome } from '#server/generated/prisma/enums.ts';

const attempts = counter({
  name: 'inbox_delivery_attempts_total',
  help: 'Attempts to deliver an event, by what they met.',
  labels: { outcome: Object.values(AttemptOutcome) },
});
const attemptSeconds = histogram({
  name: 'inbox_delivery_attempt_seconds',
  help: 'How long an attempt took, whatever it met.',
  // An attempt takes 15 seconds at most (docs/spec.md §6).
  buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
});
const events = counter({
  name: 'inbox_events_total',
  help: 'Events handed to the hooks that listen for them, by key.',
  labels: { event: EVENT_KEYS },
});

/** Counts an attempt of a delivery with what it met and how long it took, in seconds. */
export function countAttempt({ outcome, seconds }: { outcome: AttemptOutcome; seconds: number }): void {
  attempts.inc({ outcome });
  attemptSeconds.observe(seconds);
}

/** Counts events that were handed to the hooks that listen for them: how many of each key. */
export function countEvents(byKey: Partial<Record<EventKey, number>>): void {
  for (const [event, count] of Object.entries(byKey)) events.inc({ event }, count);
}
