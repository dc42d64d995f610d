'use client';

import { useEffect, useState } from 'react';
import type { createSuggest } from '#app/components/composer/create-suggest.ts';

type Create = typeof createSuggest;

/** Returns the function that suggests completions. It is loaded with the first `@` or `/`, and suggests nothing before. */
export function useSuggest(text: string, ...[view, actions]: Parameters<Create>): ReturnType<Create> {
  const [loaded, setLoaded] = useState<{ create: Create } | null>(null);
  const isNeeded = /[@/]/.test(text);
  useEffect(() => {
    if (isNeeded)
      void import('#app/components/composer/rare-parts.ts').then(
        ({ createSuggest: create }) => setLoaded({ create }),
        () => undefined,
      );
  }, [isNeeded]);
  return loaded ? loaded.create(view, actions) : suggestNothing;
}

function suggestNothing(): ReturnType<ReturnType<Create>> {
  return { name: '', all: [] };
}
