'use client';

import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** A reader within this many pixels of the end counts as reading the newest message. */
const NEAR_END = 60;

/**
 * Maintains the scroll position of a thread with reverse layout. At the end, the view follows new items. When
 * scrolled up, the view stays and `hasNewMessages` is true until the reader returns to the end.
 * @param newestId id of the last item
 * @param lastMessageId id of the last message or note. Timeline entries do not count as new messages.
 */
export function useThreadScroll({
  newestId,
  lastMessageId,
}: {
  newestId: string | undefined;
  lastMessageId: string | undefined;
}): {
  pane: RefObject<HTMLElement | null>;
  hasNewMessages: boolean;
  follow: () => void;
  goToEnd: () => void;
} {
  const pane = useRef<HTMLElement>(null);
  const before = useRef({ newestId, lastMessageId, height: 0, atEnd: true });
  const [hasNewMessages, setHasNewMessages] = useState(false);

  useLayoutEffect(() => {
    const element = pane.current;
    if (!element) return;
    const known = before.current;
    // At the end nothing moves, so skip the measurement, which would force a layout.
    if (known.atEnd) {
      before.current = { newestId, lastMessageId, height: 0, atEnd: true };
      return;
    }
    // scrollTop counts from the end, so it shifts by the height of the new items.
    const height = element.scrollHeight;
    if (known.newestId !== newestId) element.scrollTop -= height - known.height;
    if (known.lastMessageId !== lastMessageId) setHasNewMessages(true);
    before.current = { newestId, lastMessageId, height, atEnd: false };
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
    // The pressed button disappears.
    pane.current?.focus({ preventScroll: true });
  };
  return { pane, hasNewMessages, follow, goToEnd };
}
