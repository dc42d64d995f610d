'use client';

import { lazyPart } from '#app/components/ui/lazy-part.tsx';
import type { FormattedText } from '#server/screens/inbox/formatted-text.ts';

/** Has the linkifier. */
const LinkedParts = lazyPart(
  () => import('#app/components/ui/linked-parts.tsx'),
  ({ text }) => text,
);
const FormattedParts = lazyPart(
  () => import('#app/components/ui/formatted-parts.tsx'),
  ({ text }) => text,
);

type Props = { text: string; formatted?: FormattedText | null; mentioned?: string[] };

/**
 * A text whose URLs and email addresses are links, and whose mentions of teammates are highlighted, with its formatting if it has any.
 * Its element keeps line breaks.
 */
export function LinkedText({ text, formatted, mentioned = [] }: Props) {
  if (formatted) return <FormattedParts text={text} formatted={formatted} mentioned={mentioned} />;
  return /[@.]/.test(text) ? <LinkedParts text={text} mentioned={mentioned} /> : text;
}
