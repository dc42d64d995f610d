'use client';

import { useEffect } from 'react';

/** Removes the conversations that this device has stored: nobody is signed in, or the teammate has no workspace. Renders nothing. */
export function DropThreads() {
  useEffect(() => {
    import('#app/components/inbox/stored-threads.ts')
      .then(({ dropThreads }) => dropThreads())
      // Without storage there is nothing to remove.
      .catch(() => undefined);
  }, []);
  return null;
}
