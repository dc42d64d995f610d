import { useSyncExternalStore } from 'react';
import { draftedConversations, isDraftKey, onDraftStored } from '#app/components/composer/drafts.ts';

const NONE: ReadonlySet<string> = new Set();

let drafted = NONE;
const rows = new Set<() => void>();

/** Follows the stored drafts of the signed-in teammate, also those of other tabs. Returns the unsubscribe function. */
export function followDrafts(userId: string): () => void {
  const read = () => show(draftedConversations(userId));
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || isDraftKey(key)) read();
  };
  read();
  const stop = onDraftStored(read);
  window.addEventListener('storage', onStorage);
  return () => {
    stop();
    window.removeEventListener('storage', onStorage);
    show(NONE);
  };
}

/** Returns whether the teammate left a draft in a conversation. */
export function useHasDraft(conversationId: string): boolean {
  return useSyncExternalStore(
    subscribe,
    () => drafted.has(conversationId),
    () => false,
  );
}

function show(next: ReadonlySet<string>): void {
  drafted = next;
  for (const render of rows) render();
}

function subscribe(row: () => void): () => void {
  rows.add(row);
  return () => void rows.delete(row);
}
