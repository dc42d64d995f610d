'use client';

import type { find } from 'linkifyjs';
import { useEffect, useState } from 'react';
import { textParts } from '#app/lib/text-parts.ts';

/** Longest prefix that is searched for links, in characters. */
const SEARCHED_MAX = 20_000;

/** The linkifier, once loaded. Most messages have no link, so it is not part of the page's first scripts. */
let linkifier: typeof find | undefined;

/** A text whose URLs and email addresses are links, and whose mentions of teammates are highlighted. */
export function LinkedText({ text, mentioned }: { text: string; mentioned?: string[] }) {
  const findLinks = useLinkifier(/[@.]/.test(text));
  const links = findLinks?.(text.slice(0, SEARCHED_MAX), { defaultProtocol: 'https' }) ?? [];
  return textParts(text, links, mentioned).map((part, place) => {
    const key = `${place}`;
    if (part.href !== undefined) {
      return (
        <a
          key={key}
          href={part.href}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          className="underline underline-offset-2 hover:decoration-2"
        >
          {part.text}
        </a>
      );
    }
    if (part.isMention) {
      return (
        <mark key={key} className="rounded-sm bg-accent-soft px-0.5 font-medium text-accent-ink">
          {part.text}
        </mark>
      );
    }
    return part.text;
  });
}

/** Returns the linkifier when a text needs it and it has loaded. If it cannot be loaded, the text stays plain. */
function useLinkifier(isNeeded: boolean): typeof find | undefined {
  const [, setLoaded] = useState(false);
  useEffect(() => {
    if (!isNeeded || linkifier) return;
    let isMounted = true;
    import('linkifyjs').then(
      (module) => {
        linkifier = module.find;
        if (isMounted) setLoaded(true);
      },
      () => undefined,
    );
    return () => {
      isMounted = false;
    };
  }, [isNeeded]);
  return isNeeded ? linkifier : undefined;
}
