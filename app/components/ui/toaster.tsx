'use client';

import { useEffect, useState } from 'react';
import { onToastWaiting } from '#app/components/ui/toast.ts';
import { whenIdle } from '#app/components/ui/when-idle.ts';

type ToastListType = typeof import('#app/components/ui/toast-list.tsx').default;

/** Loads the toast renderer when the page is idle or with the first toast. */
export function Toaster() {
  const [Toasts, setToasts] = useState<ToastListType | null>(null);
  useEffect(() => {
    let isMounted = true;
    const load = async () => {
      const { default: loaded } = await import('#app/components/ui/toast-list.tsx');
      if (isMounted) setToasts(() => loaded);
    };
    // After a failed load, the next toast retries.
    const tryToLoad = () => void load().catch(() => {});
    const unsubscribes = [whenIdle(tryToLoad), onToastWaiting(tryToLoad)];
    return () => {
      isMounted = false;
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  }, []);
  return Toasts && <Toasts />;
}
