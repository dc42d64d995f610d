'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type FocusEvent, type PointerEvent, type SyntheticEvent, useEffect, useMemo, useRef } from 'react';
import { openedQuery } from '#app/components/inbox/inbox-queries.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';

/** A pointer that stays on a row for so long rests there, in milliseconds: one that crosses the list fetches nothing. */
const REST_MS = 60;

/**
 * Fetches the conversation of the row on which the pointer rests, is pressed, or the keyboard is, before it is opened. One at a
 * time: the one before is given up when the pointer has left it. For the list around rows with `data-conversation`.
 */
export function useFetchAhead() {
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
    const come = (id: string | undefined, afterMs: number) => {
      if (id === at.current?.id && afterMs > 0) return;
      if (id !== at.current?.id) leave();
      if (id === undefined) return;
      clearTimeout(at.current?.timer);
      at.current = { id, timer: setTimeout(() => fetch(id), afterMs) };
    };
    return {
      leave,
      onPointerOver: (event: PointerEvent) => come(rowOf(event), REST_MS),
      onPointerLeave: leave,
      onPointerDown: (event: PointerEvent) => {
        const id = rowOf(event);
        if (id !== undefined) fetch(id);
      },
      onFocus: (event: FocusEvent) => come(rowOf(event), REST_MS),
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
