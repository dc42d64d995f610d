'use client';

import { useSearchParams } from 'next/navigation';
import { useMemo } from 'react';
import { type InboxView, readInboxView } from '#app/lib/inbox-path.ts';

/** What of the inbox is shown, by its address. */
export function useInboxView(): InboxView {
  const params = useSearchParams();
  return useMemo(() => readInboxView(Object.fromEntries(params)), [params]);
}
