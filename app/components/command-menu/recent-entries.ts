import { RECENT_KEY } from '#app/components/drafts/composer-store.ts';

const STORED_MAX = 20;

/** Returns the ids of the entries that were run in this browser, most recent first. */
export function readRecent(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(RECENT_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

export function addRecent(id: string): void {
  try {
    const others = readRecent().filter((each) => each !== id);
    localStorage.setItem(RECENT_KEY, JSON.stringify([id, ...others].slice(0, STORED_MAX)));
  } catch {
    // Storage is unavailable or full.
  }
}
