'use client';

import { lazyPart } from '#app/components/ui/lazy-part.tsx';

/** Has the linkifier. */
const LinkedParts = lazyPart(
  () => import('#app/components/ui/linked-parts.tsx'),
  ({ text }) => text,
);

/** A text whose URLs and email addresses are links, and whose mentions of teammates are highlighted. */
export function LinkedText({ text, mentioned }: { text: string; mentioned?: string[] }) {
  if (!/[@.]/.test(text)) return text;
  return <LinkedParts text={text} {...(mentioned ? { mentioned } : {})} />;
}
