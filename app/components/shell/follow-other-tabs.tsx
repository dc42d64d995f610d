'use client';

import { useEffect } from 'react';
import { composer } from '#app/components/drafts/drafts.ts';

const WORKSPACE_KEY = 'open-workspace';

/**
 * Leaves the page when the teammate signs out in another tab, so that the next person at this device sees none of
 * their data, and loads it again when they open another workspace there, so that no action of this page reaches the
 * other one. Until then, the server refuses what this page sends. Also handles pages restored from the back/forward cache, and names the teammate whose drafts are shown. Renders nothing.
 */
export function FollowOtherTabs({ userId, workspaceId }: { userId: string; workspaceId: string }) {
  useEffect(() => composer.signedIn(userId), [userId]);
  useEffect(() => {
    // Next.js sends server actions with `fetch`, its headers in an object, and has no other way to name the workspace in them.
    const { fetch } = window;
    window.fetch = (input, init) => {
      const headers = init?.headers as Record<string, string> | undefined;
      if (headers?.['next-action']) headers['x-workspace-id'] = workspaceId;
      return fetch(input, init);
    };
    const before = composer.lastSignOut();
    saveWorkspace(workspaceId);
    const follow = () => {
      // A full page load clears all data from memory.
      if (composer.lastSignOut() !== before) window.location.replace('/sign-in');
      else if ((lastWorkspace() ?? workspaceId) !== workspaceId) window.location.reload();
    };
    window.addEventListener('storage', follow);
    window.addEventListener('pageshow', follow);
    return () => {
      window.fetch = fetch;
      window.removeEventListener('storage', follow);
      window.removeEventListener('pageshow', follow);
    };
  }, [workspaceId]);
  return null;
}

/** Returns the workspace that this browser opened last, or null. */
function lastWorkspace(): string | null {
  try {
    return localStorage.getItem(WORKSPACE_KEY);
  } catch {
    return null;
  }
}

function saveWorkspace(id: string): void {
  try {
    localStorage.setItem(WORKSPACE_KEY, id);
  } catch {
    // Storage is unavailable. The page follows its live messages.
  }
}
