/** In-memory fallback: iframes on other sites may have no storage. It lasts as long as the page. */
const memory = new Map<string, string>();

const tokenKey = (workspaceId: string) => `chat:${workspaceId}`;
const lastSeenKey = (workspaceId: string) => `chat-seen:${workspaceId}`;

export function readToken(workspaceId: string): string | null {
  return read(tokenKey(workspaceId));
}

/** Stores a token, or removes it (null). */
export function writeToken(workspaceId: string, token: string | null): void {
  write(tokenKey(workspaceId), token);
}

/** Returns the id of the newest answer shown in this browser, or null without one. */
export function readLastSeen(workspaceId: string): string | null {
  return read(lastSeenKey(workspaceId));
}

export function writeLastSeen(workspaceId: string, messageId: string): void {
  write(lastSeenKey(workspaceId), messageId);
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

function write(key: string, value: string | null): void {
  if (value === null) memory.delete(key);
  else memory.set(key, value);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The value in memory remains.
  }
}
