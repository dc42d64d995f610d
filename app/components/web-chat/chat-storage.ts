/** Where a browser keeps who it is in the chat of a workspace. A frame on another site may be kept from keeping. */
const held = new Map<string, string>();

const tokenKey = (workspaceId: string) => `chat:${workspaceId}`;

export function readToken(workspaceId: string): string | null {
  try {
    return localStorage.getItem(tokenKey(workspaceId)) ?? held.get(workspaceId) ?? null;
  } catch {
    return held.get(workspaceId) ?? null;
  }
}

/** Keeps a token, or forgets it (null). Where nothing may be kept, it lasts as long as the page. */
export function writeToken(workspaceId: string, token: string | null): void {
  if (token === null) held.delete(workspaceId);
  else held.set(workspaceId, token);
  try {
    if (token === null) localStorage.removeItem(tokenKey(workspaceId));
    else localStorage.setItem(tokenKey(workspaceId), token);
  } catch {
    // Held above.
  }
}

const lastSeenKey = (workspaceId: string) => `chat-seen:${workspaceId}`;

/** The newest answer that was shown in this browser; null when none was, or none may be kept. */
export function readLastSeen(workspaceId: string): string | null {
  try {
    return localStorage.getItem(lastSeenKey(workspaceId));
  } catch {
    return null;
  }
}

export function writeLastSeen(workspaceId: string, messageId: string): void {
  try {
    localStorage.setItem(lastSeenKey(workspaceId), messageId);
  } catch {
    // Then it counts as new again with the next page.
  }
}
