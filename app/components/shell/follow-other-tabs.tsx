'use client';

import { useEffect } from 'react';
import { followDrafts } from '#app/components/composer/drafted-conversations.ts';
import { lastSignOut } from '#app/components/composer/drafts.ts';

const WORKSPACE_KEY = 'open-workspace';

/**
 * Leaves the page when the teammate signs out in another tab, so that the next person at this device sees none of
 * their data, and loads it again when they open another workspace there, so that no action of this page reaches the
 * other one. Also handles pages restored from the back/forward cache, and follows the teammate's drafts. Renders nothing.
 */
export function FollowOtherTabs({ userId, workspaceId }: { userId: string; workspaceId: string }) {
  useEffect(() => followDrafts(userId), [userId]);
  useEffect(() => {
    const before = lastSignOut();
    saveWorkspace(workspaceId);
    const follow = () => {
      // A full page load clears all data from memory.
      if (lastSignOut() !== before) window.location.replace('/sign-in');
      else if ((lastWorkspace() ?? workspaceId) !== workspaceId) window.location.reload();
    };
    window.addEventListener('storage', follow);
    window.addEventListener('pageshow', follow);
    return () => {
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
