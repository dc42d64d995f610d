'use client';

import { useEffect } from 'react';

/** Removes the conversations that this device has stored: nobody is signed in, or the teammate has no workspace. Renders nothing. */
export function DropThreads() {
  useEffect(() => {
    // Without storage there is nothing to remove.
    drop().catch(() => undefined);
  }, []);
  return null;
}

async function drop(): Promise<void> {
  const { dropThreads } = await import('#app/components/inbox/stored-threads.ts');
  await dropThreads();
}
