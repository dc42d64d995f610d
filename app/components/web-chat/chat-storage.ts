/** In-memory fallback for tokens: iframes on other sites may have no storage. */
const memory = new Map<string, string>();

const tokenKey = (workspaceId: string) => `chat:${workspaceId}`;

export function readToken(workspaceId: string): string | null {
  try {
    return localStorage.getItem(tokenKey(workspaceId)) ?? memory.get(workspaceId) ?? null;
  } catch {
    return memory.get(workspaceId) ?? null;
  }
}

/** Stores a token, or removes it (null). Without storage, the token lasts as long as the page. */
export function writeToken(workspaceId: string, token: string | null): void {
  if (token === null) memory.delete(workspaceId);
  else memory.set(workspaceId, token);
  try {
    if (token === null) localStorage.removeItem(tokenKey(workspaceId));
    else localStorage.setItem(tokenKey(workspaceId), token);
  } catch {
    // The in-memory token remains.
  }
}

const lastSeenKey = (workspaceId: string) => `chat-seen:${workspaceId}`;

/** Returns the id of the newest answer shown in this browser, or null without one or without storage. */
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
    // Without storage, the answer counts as new on the next page.
  }
}
