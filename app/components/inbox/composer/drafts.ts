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

/** A text that comes back, above what was typed since. */
export function withDraft(text: string, draft: string): string {
  return draft.trim() === '' ? text : `${text.trimEnd()}\n\n${draft}`;
}

function keyOf({ userId, conversationId, kind }: DraftOf): string {
  return `draft:${userId}:${conversationId}:${kind}`;
}
