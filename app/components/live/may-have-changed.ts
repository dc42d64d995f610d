import type { LiveTopic, RecentChanges } from '#server/screens/views.ts';

/** Added to the time without a stream, in ms, for what was under way at its end. */
const MARGIN_MS = 2_000;
/** After this time everything may have changed, in ms: some lists change with time, of which no message tells. */
const LONG_MS = 300_000;

/** Returns whether a topic may have changed while a page had no stream. `recent`: what the server knows at the end of that time. */
export function mayHaveChanged(
  topic: LiveTopic,
  { completeMs, changedMs }: RecentChanges,
  withoutStreamMs: number,
): boolean {
  const unheardMs = withoutStreamMs + MARGIN_MS;
  return unheardMs > LONG_MS || Math.min(completeMs, changedMs[topic] ?? completeMs) < unheardMs;
}
