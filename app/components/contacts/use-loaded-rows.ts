'use client';

import { useRef, useState } from 'react';
import { beginRows, extendRows, followRows, type IsBelow } from '#app/components/contacts/loaded-rows.ts';
import type { Page } from '#server/people/contacts/views.ts';

/** `failed`: the next page did not come; it is not asked for again by itself. */
export type LoadingState = 'idle' | 'loading' | 'failed';

type Options<Row> = {
  /** Asks for the page at a cursor. */
  load: (cursor: string) => Promise<Page<Row>>;
  /** The order of the list. */
  isBelow: IsBelow<Row>;
};

/** A list that begins with a page of the server and loads on. `loadMore` does nothing at its end or while it loads. */
export function useLoadedRows<Row extends { id: string }>(
  newest: Page<Row>,
  { load, isBelow }: Options<Row>,
) {
  const [list, setList] = useState(() => beginRows(newest));
  const [state, setState] = useState<LoadingState>('idle');
  const isLoading = useRef(false);
  if (list.newest !== newest) setList(followRows(list, newest, { isBelow }));

  const loadMore = async () => {
    const cursor = list.nextCursor;
    if (cursor === null || isLoading.current) return;
    isLoading.current = true;
    setState('loading');
    const page = await load(cursor).catch(() => null);
    isLoading.current = false;
    setState(page ? 'idle' : 'failed');
    if (page) setList((before) => extendRows(before, page, cursor));
  };
  return { rows: list.rows, hasMore: list.nextCursor !== null, state, loadMore };
}
