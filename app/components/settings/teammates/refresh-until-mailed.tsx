'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** Mostly the mail has left by the first look; after the last one the reader reloads the page. */
const LOOKS_AFTER_MS = [1_500, 4_000, 10_000, 30_000, 60_000];

/** Fetches the page again a few times while an invitation's mail is on its way. Shows nothing. */
export function RefreshUntilMailed() {
  const router = useRouter();
  useEffect(() => {
    const timers = LOOKS_AFTER_MS.map((afterMs) => setTimeout(() => router.refresh(), afterMs));
    return () => timers.forEach(clearTimeout);
  }, [router]);
  return null;
}
