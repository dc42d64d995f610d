import type { EventKey, EventPayloads } from '#server/contract/event-catalogue.ts';

/** The events whose samples are found through `samples`: what they show is no column of the conversation. */
export type SampledEvent =
  | 'conversation.tagged'
  | 'conversation.rated'
  | 'message.received'
  | 'operator.command';

type HappenedEvent = {
  key: EventKey;
  payload: EventPayloads[EventKey];
  /** What a filter may ask for. */
  filterValues: string[];
  /** The tagging, rating, message or command run itself. */
  subjectId?: string;
};

/** A row of `samples` as SQL takes it, without what is the same for all. */
type SampleRow = { conversation_id: string; event: EventKey; filter: string; subject_id: string };

/**
 * Where samples will find what happened: without a filter, and under each value that a filter may ask for. Of two
 * events with one place the later stays, as one statement can write a row only once. In the order of their keys,
 * so that two transactions that write the same rows wait for each other instead of deadlocking.
 */
export function sampleRows(events: HappenedEvent[]): SampleRow[] {
  const rows = events.flatMap(({ key, payload, filterValues, subjectId }) => {
    if (subjectId === undefined || !('conversation' in payload)) return [];
    const conversationId = payload.conversation.id;
    return ['', ...filterValues].map((filter): [string, SampleRow] => [
      `${conversationId} ${key} ${filter}`,
      { conversation_id: conversationId, event: key, filter, subject_id: subjectId },
    ]);
  });
  return [...new Map(rows)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
