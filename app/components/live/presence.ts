import { useSyncExternalStore } from 'react';

/** A teammate who has a conversation open. */
export type Present = { userId: string; name: string; isTyping: boolean };

/** The conversations that a teammate has open, as received. Empty when they have left. */
type Teammate = { userId: string; name: string; open: { conversationId: string; isTyping: boolean }[] };

const NOBODY: readonly Present[] = [];

const teammates = new Map<string, Teammate>();
const listeners = new Set<() => void>();
let byConversation = new Map<string, Present[]>();

/** Applies an event of the live stream. A complete one replaces everything that is known. */
export function receivePresence(data: string): void {
  const event = JSON.parse(data) as { isComplete: boolean; teammates: Teammate[] };
  if (event.isComplete) teammates.clear();
  for (const teammate of event.teammates) {
    if (teammate.open.length > 0) teammates.set(teammate.userId, teammate);
    else teammates.delete(teammate.userId);
  }
  show();
}

/** Forgets everything, because the stream is closed. */
export function forgetPresence(): void {
  if (teammates.size === 0) return;
  teammates.clear();
  show();
}

function show(): void {
  byConversation = new Map();
  for (const { userId, name, open } of teammates.values()) {
    for (const { conversationId, isTyping } of open) {
      const present = byConversation.get(conversationId) ?? [];
      byConversation.set(conversationId, present);
      present.push({ userId, name, isTyping });
    }
  }
  for (const listener of listeners) listener();
}

/** Returns the other teammates who have a conversation open. */
export function usePresent(conversationId: string): readonly Present[] {
  return useSyncExternalStore(
    subscribe,
    () => byConversation.get(conversationId) ?? NOBODY,
    () => NOBODY,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
