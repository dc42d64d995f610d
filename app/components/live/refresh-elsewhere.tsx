'use client';

import { usePathname } from 'next/navigation';
import { RefreshOn } from '#app/components/live/refresh-on.tsx';

/** Pages that show something of conversations are fetched again when these change; the inbox reads what changed itself. */
export function RefreshElsewhere() {
  return usePathname() === '/inbox' ? null : <RefreshOn topic="conversations" />;
}
