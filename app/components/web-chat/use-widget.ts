'use client';

import { useEffect, useRef, useState } from 'react';
import { readLastSeen, writeLastSeen } from '#app/components/web-chat/chat-storage.ts';

/**
 * Exchanges messages with the widget on the embedding site. Accepts messages only from the parent window, and posts
 * only to its origin, without any content of the conversation.
 * @param newestAnswer id of the newest answer. An unseen one makes the closed widget show a badge
 * @param onOpened called when the widget opens
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
    const onMessage = ({ source, origin, data }: MessageEvent) => {
      if (source !== window.parent) return;
      if (data?.type !== 'chat:opened' && data?.type !== 'chat:closed') return;
      const isOpen = data.type === 'chat:opened';
      setSite({ origin, isOpen });
      if (isOpen) opened.current();
    };
    window.addEventListener('message', onMessage);
    // The parent's origin is unknown yet, and this message contains no data.
    window.parent.postMessage({ type: 'chat:ready' }, '*');
    return () => window.removeEventListener('message', onMessage);
  }, [isInWidget]);

  useEffect(() => {
    if (newestAnswer === null || (isInWidget && !site)) return;
    if (site && !site.isOpen) {
      if (newestAnswer !== readLastSeen(workspaceId)) post(site.origin, 'chat:unread');
      return;
    }
    const markSeen = () => {
      if (document.visibilityState === 'visible') writeLastSeen(workspaceId, newestAnswer);
    };
    markSeen();
    document.addEventListener('visibilitychange', markSeen);
    return () => document.removeEventListener('visibilitychange', markSeen);
  }, [workspaceId, isInWidget, newestAnswer, site]);

  return { isFramed: site !== null, close: () => site && post(site.origin, 'chat:close') };
}

function post(origin: string, type: string): void {
  window.parent.postMessage({ type }, origin);
}
