'use client';

import { useEffect, useState } from 'react';
import { onToastWaiting } from '#app/components/ui/toast.ts';
import { whenIdle } from '#app/components/ui/when-idle.ts';

type Drawn = typeof import('#app/components/ui/drawn-toasts.tsx').default;

/** Where outcomes are announced. What draws them is loaded once the page is idle, or with the first one. */
export function Toaster() {
  const [Toasts, setToasts] = useState<Drawn | null>(null);
  useEffect(() => {
    let isShown = true;
    const load = async () => {
      const { default: drawn } = await import('#app/components/ui/drawn-toasts.tsx');
      if (isShown) setToasts(() => drawn);
    };
    // Not reached: the next toast asks again.
    const tryToLoad = () => void load().catch(() => {});
    const stops = [whenIdle(tryToLoad), onToastWaiting(tryToLoad)];
    return () => {
      isShown = false;
      for (const stop of stops) stop();
    };
  }, []);
  return Toasts && <Toasts />;
}
