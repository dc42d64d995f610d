import type { OfferedSavedReply } from '#server/screens/settings/views.ts';

type Insert = (saved: OfferedSavedReply) => void;

/** Inserts into the composer on screen. Null without one. */
let insert: Insert | null = null;

/** Inserts a saved reply at the cursor of the reply on screen. */
export function insertSavedReply(saved: OfferedSavedReply): void {
  insert?.(saved);
}

/** Registers the composer on screen. Returns the unsubscribe function. */
export function onInsertSavedReply(next: Insert): () => void {
  insert = next;
  return () => {
    if (insert === next) insert = null;
  };
}
