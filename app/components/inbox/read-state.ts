import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { ScreensClient } from '#app/components/live/page-data.ts';
import { openedQuery } from '#app/components/view/inbox-queries.ts';
import type { InboxRow } from '#server/screens/inbox/views.ts';

export type ReadStateClient = { queries: QueryClient; screens: ScreensClient };

/** Read states that this page changed, by conversation. Lists show them until a newer fetch. */
type Changes = ReadonlyMap<string, { unread: boolean; at: number }>;

/** Time for which a list that was requested before a change can still arrive, in ms. */
const OVERLAP_MS = 1_000;

let changes: Changes = new Map();
const listeners = new Set<() => void>();

/** Shows a conversation as read or unread, without a request. */
export function showReadState(
  { queries, screens }: ReadStateClient,
  { id, unread }: { id: string; unread: boolean },
): void {
  changes = new Map(changes).set(id, { unread, at: Date.now() });
  for (const listener of listeners) listener();
  queries.setQueryData(
    openedQuery(screens, id).queryKey,
    (opened) => opened && { ...opened, conversation: { ...opened.conversation, unread } },
  );
}

/**
 * Returns whether a row is shown as unread.
 * @param fetchedAt when the list was fetched, in ms since the epoch
 */
export function useUnread(fetchedAt: number): (row: InboxRow) => boolean {
  const current = useSyncExternalStore(subscribe, snapshot, snapshot);
  return ({ id, unread }) => {
    const change = current.get(id);
    return change && change.at > fetchedAt - OVERLAP_MS ? change.unread : unread;
  };
}

/**
 * Returns whether the open conversation is to be marked as read. The conversation may have been fetched before it was
 * saved as unread.
 */
export function useOpenedUnread({ id, unread }: { id: string; unread: boolean }): boolean {
  const current = useSyncExternalStore(subscribe, snapshot, snapshot);
  return unread || current.get(id)?.unread === true;
}

const snapshot = () => changes;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
