'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type FocusEvent, type PointerEvent, type SyntheticEvent, useEffect, useMemo, useRef } from 'react';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { openedQuery } from '#app/components/view/inbox-queries.ts';

/**
 * Delay between hovering a row and prefetching its conversation, in ms. A pointer that crosses the list fetches
 * nothing.
 */
const REST_MS = 60;

/**
 * Prefetches the conversation of the row that is hovered, pressed or focused. One at a time: leaving a row cancels
 * its request. Returns handlers for the element around rows with `data-conversation`.
 */
export function usePrefetch() {
  const screens = useScreens();
  const queries = useQueryClient();
  const at = useRef<{ id: string; timer: ReturnType<typeof setTimeout> } | null>(null);
  const handlers = useMemo(() => {
    const leave = () => {
      if (!at.current) return;
      clearTimeout(at.current.timer);
      const { queryKey } = openedQuery(screens, at.current.id);
      at.current = null;
      const isShown = (queries.getQueryCache().find({ queryKey })?.getObserversCount() ?? 0) > 0;
      if (!isShown) void queries.cancelQueries({ queryKey });
    };
    const fetch = (id: string) => void queries.prefetchQuery(openedQuery(screens, id));
    const enter = (id: string | undefined, afterMs: number) => {
      if (id === at.current?.id && afterMs > 0) return;
      if (id !== at.current?.id) leave();
      if (id === undefined) return;
      clearTimeout(at.current?.timer);
      at.current = { id, timer: setTimeout(() => fetch(id), afterMs) };
    };
    return {
      leave,
      onPointerOver: (event: PointerEvent) => enter(rowOf(event), REST_MS),
      onPointerLeave: leave,
      onPointerDown: (event: PointerEvent) => {
        const id = rowOf(event);
        if (id !== undefined) fetch(id);
      },
      onFocus: (event: FocusEvent) => enter(rowOf(event), REST_MS),
    };
  }, [screens, queries]);
  const { leave, ...onList } = handlers;
  useEffect(() => leave, [leave]);
  return onList;
}

function rowOf({ target }: SyntheticEvent): string | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<HTMLElement>('[data-conversation]')?.dataset.conversation;
}
