import { useSyncExternalStore } from 'react';
import type { UnseenItem } from '#server/screens/inbox/composer-views.ts';

/** A reply that was not sent, because something was added to its conversation. Its text is a draft again. */
export type UnseenQuestion = {
  conversationId: string;
  solves: boolean;
  unseen: UnseenItem[];
  /** Ids of everything that the writer has seen once they have read the question. */
  seen: string[];
};

/** State outside the composer, which is unmounted when the reply solves its conversation and the next one opens. */
let question: UnseenQuestion | null = null;
const listeners = new Set<() => void>();

/** Asks the writer whether to send the reply anyway, as soon as its conversation is on screen. Null closes the question. */
export function setUnseenQuestion(next: UnseenQuestion | null): void {
  question = next;
  for (const listener of listeners) listener();
}

/** Returns the open question about a conversation. */
export function useUnseenQuestion(conversationId: string): UnseenQuestion | null {
  return useSyncExternalStore(
    subscribe,
    () => (question?.conversationId === conversationId ? question : null),
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
