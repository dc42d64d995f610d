'use client';

import type { ReactNode } from 'react';
import { lazyPart } from '#app/components/ui/lazy-part.tsx';
import type { FormattedText } from '#server/screens/inbox/formatted-text.ts';
import type { PictureView } from '#server/screens/inbox/thread-views.ts';

/** Has the linkifier. */
const TextParts = lazyPart(
  () => import('#app/components/ui/text-parts.tsx'),
  ({ text }) => text,
);

export type LinkedTextProps = {
  text: string;
  formatted?: FormattedText | null;
  mentioned?: string[];
  /** Pictures of the formatted text, which are served as attachments. */
  pictures?: readonly PictureView[];
  /** Renders a picture that is served otherwise. */
  picture?: ((fileId: string, name: string) => ReactNode) | undefined;
};

/**
 * A text whose URLs and email addresses are links, and whose mentions of teammates are highlighted, with its formatting if it has any.
 * Its element keeps line breaks.
 */
export function LinkedText(props: LinkedTextProps) {
  const { text, formatted } = props;
  return formatted || /[@.]/.test(text) ? <TextParts {...props} /> : text;
}
