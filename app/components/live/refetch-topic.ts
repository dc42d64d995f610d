import type { LiveTopic } from '#server/screens/views.ts';

type Refetcher = (topic: LiveTopic) => Promise<unknown>;

const refetchers = new Set<Refetcher>();

/** Refetches the observed queries of a topic after a change by the user. Resolves once they are fetched. */
export async function refetchTopic(topic: LiveTopic): Promise<void> {
  await Promise.all([...refetchers].map((refetch) => refetch(topic)));
}

/** Registers a refetcher. Returns the unsubscribe function. */
export function onRefetchTopic(refetch: Refetcher): () => void {
  refetchers.add(refetch);
  return () => void refetchers.delete(refetch);
}
