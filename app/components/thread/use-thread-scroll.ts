'use client';

import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** A reader within this many pixels of the end is taken to read the newest. */
const NEAR_END = 60;

/**
 * Keeps the place in a thread that is laid out from its end. A reader of the newest stays with it; for one who has
 * scrolled up, nothing moves when something new comes, and `hasNewMessages` says so until they have gone to the end.
 * @param newestId the id of the last entry
 * @param saidId of the last message or note: only these are news
 */
export function useThreadScroll({
  newestId,
  saidId,
}: {
  newestId: string | undefined;
  saidId: string | undefined;
}): {
  pane: RefObject<HTMLElement | null>;
  hasNewMessages: boolean;
  follow: () => void;
  goToEnd: () => void;
} {
  const pane = useRef<HTMLElement>(null);
  const before = useRef({ newestId, saidId, height: 0, atEnd: true });
  const [hasNewMessages, setHasNewMessages] = useState(false);

  useLayoutEffect(() => {
    const element = pane.current;
    if (!element) return;
    const known = before.current;
    // For one who reads the newest nothing moves, so nothing is measured: that would lay the page out once more.
    if (known.atEnd) {
      before.current = { newestId, saidId, height: 0, atEnd: true };
      return;
    }
    // The place is counted from the end, so that it moves by as much as came there.
    const height = element.scrollHeight;
    if (known.newestId !== newestId) element.scrollTop -= height - known.height;
    if (known.saidId !== saidId) setHasNewMessages(true);
    before.current = { newestId, saidId, height, atEnd: false };
  });

  const follow = () => {
    const element = pane.current;
    if (!element) return;
    const atEnd = element.scrollTop > -NEAR_END;
    before.current = { ...before.current, height: element.scrollHeight, atEnd };
    if (atEnd) setHasNewMessages(false);
  };
  const goToEnd = () => {
    pane.current?.scrollTo({ top: 0, behavior: 'smooth' });
    // The button that was pressed goes away.
    pane.current?.focus({ preventScroll: true });
  };
  return { pane, hasNewMessages, follow, goToEnd };
}
