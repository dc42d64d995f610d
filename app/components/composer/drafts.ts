import { v7 as uuidv7 } from 'uuid';

const PREFIX = 'draft:';

/** Whose draft of what: every teammate has one of each kind in a conversation, on this device. */
export type DraftOf = { userId: string; conversationId: string; kind: 'reply' | 'note' };

/** What was typed and not sent; empty when nothing was, or the browser keeps nothing. */
export function readDraft(of: DraftOf): string {
  try {
    return localStorage.getItem(keyOf(of)) ?? '';
  } catch {
    return '';
  }
}

/** Keeps what is typed, until it is sent; nothing for an empty text. */
export function keepDraft(of: DraftOf, text: string): void {
  try {
    if (text === '') localStorage.removeItem(keyOf(of));
    else localStorage.setItem(keyOf(of), text);
  } catch {
    // A browser that keeps nothing, or whose room is used up: the text is still on the screen.
  }
}

/** Says that someone signed out in this browser; other tabs hear of every change to it. */
export const SIGN_OUT_KEY = 'signed-out';

/**
 * The last sign-out in this browser. A page that was opened before it keeps no drafts any more: what it still holds is of
 * somebody who has gone.
 */
export function lastSignOut(): string {
  try {
    return localStorage.getItem(SIGN_OUT_KEY) ?? '';
  } catch {
    return '';
  }
}

/** Removes all that was typed and not sent from this browser, when a teammate signs out, and has other tabs follow. */
export function forgetDrafts(): void {
  try {
    // First of all, so that no tab keeps anything after it was removed.
    localStorage.setItem(SIGN_OUT_KEY, uuidv7());
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing.
  }
}

/** A text that comes back, above what was typed since. */
export function withDraft(text: string, draft: string): string {
  return draft.trim() === '' ? text : `${text.trimEnd()}\n\n${draft}`;
}

function keyOf({ userId, conversationId, kind }: DraftOf): string {
  return `${PREFIX}${userId}:${conversationId}:${kind}`;
}
