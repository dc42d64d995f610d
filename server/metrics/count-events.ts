import type { EventKey } from '#server/events/catalogue.ts';
import { metrics } from '#server/metrics/metrics.ts';

/** Counts events that were handed to the hooks that listen for them: how many of each key. */
export function countEvents(byKey: Partial<Record<EventKey, number>>): void {
  const { events } = metrics();
  for (const [event, count] of Object.entries(byKey)) events.inc({ event }, count);
}
