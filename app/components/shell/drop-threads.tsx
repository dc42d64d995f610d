'use client';

import { useEffect } from 'react';

/** Removes what this device has stored of a former teammate: nobody is signed in, or the teammate has no workspace. Renders nothing. */
export function DropThreads() {
  useEffect(() => {
    // Without storage there is nothing to remove.
    drop().catch(() => undefined);
  }, []);
  return null;
}

async function drop(): Promise<void> {
  const [{ dropThreads }, { dropOpenedShared }] = await Promise.all([
    import('#app/components/inbox/stored-threads.ts'),
    import('#app/components/drafts/shared-content.ts'),
  ]);
  await Promise.all([dropThreads(), dropOpenedShared()]);
}
