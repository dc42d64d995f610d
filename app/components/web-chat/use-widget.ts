'use client';

import { useEffect, useRef, useState } from 'react';
import { readLastSeen, writeLastSeen } from '#app/components/web-chat/chat-storage.ts';

/**
 * Talks with the widget on the site around this page. Only what comes from that very window is heard, and what is sent
 * goes to its origin alone and holds nothing of the conversation.
 * @param newestAnswer the id of the newest message that is not the visitor's: one that was not shown yet while the
 *   widget is closed makes it say so
 * @param onOpened called when the widget was opened
 */
export function useWidget({
  workspaceId,
  isInWidget,
  newestAnswer,
  onOpened,
}: {
  workspaceId: string;
  isInWidget: boolean;
  newestAnswer: string | null;
  onOpened: () => void;
}) {
  const [site, setSite] = useState<{ origin: string; isOpen: boolean } | null>(null);
  const opened = useRef(onOpened);
  useEffect(() => {
    opened.current = onOpened;
  });

  useEffect(() => {
    if (!isInWidget || window.parent === window) return;
    const hear = ({ source, origin, data }: MessageEvent) => {
      if (source !== window.parent) return;
      if (data?.type !== 'chat:opened' && data?.type !== 'chat:closed') return;
      const isOpen = data.type === 'chat:opened';
      setSite({ origin, isOpen });
      if (isOpen) opened.current();
    };
    window.addEventListener('message', hear);
    // The window to send it to is not known yet, and it says nothing.
    window.parent.postMessage({ type: 'chat:ready' }, '*');
    return () => window.removeEventListener('message', hear);
  }, [isInWidget]);

  useEffect(() => {
    if (newestAnswer === null || (isInWidget && !site)) return;
    if (site && !site.isOpen) {
      if (newestAnswer !== readLastSeen(workspaceId)) post(site.origin, 'chat:unread');
    } else writeLastSeen(workspaceId, newestAnswer);
  }, [workspaceId, isInWidget, newestAnswer, site]);

  return { isFramed: site !== null, close: () => site && post(site.origin, 'chat:close') };
}

function post(origin: string, type: string): void {
  window.parent.postMessage({ type }, origin);
}
