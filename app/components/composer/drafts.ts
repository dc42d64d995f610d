import { v7 as uuidv7 } from 'uuid';

const PREFIX = 'draft:';

/** Storage key of the recent entries of the command menu. Removed at sign-out. */
export const RECENT_KEY = 'recent-commands';

/** Key of a draft: one per teammate, conversation and kind on this device. */
export type DraftOf = { userId: string; conversationId: string; kind: 'reply' | 'note' };

/** Returns the stored draft, or an empty string without one or without browser storage. */
export function readDraft(of: DraftOf): string {
  try {
    return localStorage.getItem(draftKey(of)) ?? '';
  } catch {
    return '';
  }
}

/** Stores a draft. Empty text removes the draft and the saved replies that it used. */
export function saveDraft(of: DraftOf, text: string): void {
  store(draftKey(of), text);
  if (text === '') saveUsedReplies(of, []);
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();

/** Calls `listener` after a draft was stored or removed in this tab. Returns the unsubscribe function. */
export function onDraftStored(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Returns the ids of the conversations in which a teammate left a draft on this device. */
export function draftedConversations(userId: string): ReadonlySet<string> {
  try {
    const keys = Object.keys(localStorage).filter(
      (key) => isDraftKey(key) && localStorage.getItem(key)?.trim(),
    );
    const drafts = keys.map((key) => key.split(':')).filter(([, author]) => author === userId);
    return new Set(drafts.flatMap(([, , conversationId]) => conversationId ?? []));
  } catch {
    return new Set();
  }
}

/** Returns whether a storage key is that of a draft's text. */
export function isDraftKey(key: string): boolean {
  return key.startsWith(PREFIX) && key.split(':').length === 4;
}

/** Returns the ids of the saved replies that a stored draft used. */
export function readUsedReplies(of: DraftOf): string[] {
  try {
    return localStorage.getItem(usedRepliesKey(of))?.split(',') ?? [];
  } catch {
    return [];
  }
}

export function saveUsedReplies(of: DraftOf, ids: readonly string[]): void {
  store(usedRepliesKey(of), ids.join());
}

/** Stores a text, or removes an empty one. */
function store(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Storage is unavailable or full. The draft is still on screen.
  }
}

/** Storage key that changes at sign-out. Other tabs observe the change. */
export const SIGN_OUT_KEY = 'signed-out';

/**
 * Returns the id of the last sign-out in this browser. A page opened before that sign-out must not store drafts,
 * because its text belongs to the previous user.
 */
export function lastSignOut(): string {
  try {
    return localStorage.getItem(SIGN_OUT_KEY) ?? '';
  } catch {
    return '';
  }
}

/** Removes all drafts and recent commands at sign-out and notifies other tabs. */
export function clearDrafts(): void {
  try {
    // Set this key first, so that no other tab stores a draft after the removal.
    localStorage.setItem(SIGN_OUT_KEY, uuidv7());
    localStorage.removeItem(RECENT_KEY);
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    // Storage is unavailable.
  }
}

/** Returns restored text followed by newer text. Text that is being sent is still stored, and counts once. */
export function withDraft(text: string, draft: string): string {
  return draft.trim() === '' || draft === text ? text : `${text.trimEnd()}\n\n${draft}`;
}

function usedRepliesKey(of: DraftOf): string {
  return `${draftKey(of)}:saved-replies`;
}

/** Returns the storage key of a draft. */
export function draftKey({ userId, conversationId, kind }: DraftOf): string {
  return `${PREFIX}${userId}:${conversationId}:${kind}`;
}
