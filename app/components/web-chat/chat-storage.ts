/** Where a browser keeps who it is in the chat of a workspace. A frame on another site may be kept from keeping. */
const held = new Map<string, string>();

const keyOf = (workspaceId: string) => `chat:${workspaceId}`;

export function readToken(workspaceId: string): string | null {
  try {
    return localStorage.getItem(keyOf(workspaceId)) ?? held.get(workspaceId) ?? null;
  } catch {
    return held.get(workspaceId) ?? null;
  }
}

/** Keeps a token, or forgets it (null). Where nothing may be kept, it lasts as long as the page. */
export function writeToken(workspaceId: string, token: string | null): void {
  if (token === null) held.delete(workspaceId);
  else held.set(workspaceId, token);
  try {
    if (token === null) localStorage.removeItem(keyOf(workspaceId));
    else localStorage.setItem(keyOf(workspaceId), token);
  } catch {
    // Held above.
  }
}
