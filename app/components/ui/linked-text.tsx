'use client';

import { lazy, Suspense } from 'react';

/** Loaded for a text that may have a link or a mention, to keep the linkifier out of the page's first scripts. */
const LinkedParts = lazy(() => import('#app/components/ui/linked-parts.tsx'));

/** A text whose URLs and email addresses are links, and whose mentions of teammates are highlighted. */
export function LinkedText({ text, mentioned }: { text: string; mentioned?: string[] }) {
  if (!/[@.]/.test(text)) return text;
  return (
    <Suspense fallback={text}>
      <LinkedParts text={text} {...(mentioned ? { mentioned } : {})} />
    </Suspense>
  );
}
