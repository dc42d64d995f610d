'use client';

import { useEffect } from 'react';
import { lastSignOut, SIGN_OUT_KEY } from '#app/components/composer/drafts.ts';

/**
 * Leaves the page when its teammate signs out in another tab, so that nothing of theirs stays on the screen for the next
 * person; also a page that slept meanwhile. Shows nothing.
 */
export function FollowSignOut() {
  useEffect(() => {
    const before = lastSignOut();
    // A full load, so that nothing that was shown stays in memory.
    const leave = () => window.location.replace('/sign-in');
    const onStorage = ({ key }: StorageEvent) => {
      if (key === SIGN_OUT_KEY) leave();
    };
    const onShow = () => {
      if (lastSignOut() !== before) leave();
    };
    window.addEventListener('storage', onStorage);
    window.addEventListener('pageshow', onShow);
    return () => {
      window.removeEventListener('storage', onStorage);
      window.removeEventListener('pageshow', onShow);
    };
  }, []);
  return null;
}
