import type { LiveTopic } from '#server/screens/views.ts';

type Reader = (topic: LiveTopic) => Promise<unknown>;

const readers = new Set<Reader>();

/** Has what an open page shows of a topic read again, after a change of one's own; resolves once it is shown. */
export async function showAgain(topic: LiveTopic): Promise<void> {
  await Promise.all([...readers].map((read) => read(topic)));
}

/** Takes part in it. Returns how to stop. */
export function onShowAgain(read: Reader): () => void {
  readers.add(read);
  return () => void readers.delete(read);
}
