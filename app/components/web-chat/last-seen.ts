const keyOf = (workspaceId: string) => `chat-seen:${workspaceId}`;

/** The newest answer that was shown in this browser; null when none was, or none may be kept. */
export function readLastSeen(workspaceId: string): string | null {
  try {
    return localStorage.getItem(keyOf(workspaceId));
  } catch {
    return null;
  }
}

export function writeLastSeen(workspaceId: string, messageId: string): void {
  try {
    localStorage.setItem(keyOf(workspaceId), messageId);
  } catch {
    // Then it counts as new again with the next page.
  }
}
