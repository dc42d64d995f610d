'use client';

import { useEffect, useState } from 'react';
import { findMergeChoices } from '#app/components/inbox/find-merge-choices.ts';
import type { MergeChoice } from '#server/inbox/conversations/views.ts';

/** Whoever types is waited for so long before anything is looked for. */
const PAUSE_MS = 250;

/** What was found, or why not; null while it is looked for. */
export type FoundChoices = MergeChoice[] | { problem: string } | null;

/** What a conversation can be merged into, looked for as somebody types. */
export function useMergeChoices(id: string, search: string): FoundChoices {
  const [found, setFound] = useState<{ search: string; choices: FoundChoices } | null>(null);
  useEffect(() => {
    let isLate = false;
    const look = async () => {
      const choices = await findMergeChoices(id, search).catch(() => ({ problem: NOT_REACHED }));
      if (!isLate) setFound({ search, choices });
    };
    const timer = setTimeout(look, search === '' ? 0 : PAUSE_MS);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [id, search]);
  return found?.search === search ? found.choices : null;
}

const NOT_REACHED = 'The service was not reached. Check your connection and type again.';
