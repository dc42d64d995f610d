'use client';

import { use } from 'react';
import { choicesQuery } from '#app/components/inbox/inbox-queries.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { useServedQuery } from '#app/components/live/use-served-query.ts';
import type { FilterChoices } from '#server/screens/inbox/views.ts';

/** What the inbox can be narrowed to, also what came meanwhile. Suspends for what is served. */
export function useFilterChoices(served: Promise<FilterChoices>): FilterChoices {
  const screens = useScreens();
  const first = use(served);
  return useServedQuery(choicesQuery(screens), first).data ?? first;
}
