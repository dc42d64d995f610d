'use client';

import { type DataTag, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { hasChanged } from '#app/components/live/page-data.ts';

type Key = readonly [string, ...QueryKey];

/** Served data that filled a query, and served data that was checked after its render. A page shown again has the same objects. */
const filled = new WeakSet<object>();
const checked = new WeakSet<object>();

/**
 * Fills a query without data with data that the server rendered, so that the same render can use it. A query with data
 * keeps its data and is fetched again. `HydrationBoundary` would compare the clocks of the server and the browser instead
 * (decision 0012).
 * @param served null when the server rendered no data for this query
 */
export function useServed<Data>(
  queryKey: DataTag<Key, Data, Error>,
  served: NoInfer<Data & object> | null,
): void {
  const queries = useQueryClient();
  const wasFetching = queries.isFetching({ queryKey, exact: true }) > 0;
  if (served) fillServed(queries, queryKey, served);
  useEffect(() => {
    if (served) checkServed(queries, queryKey, served, wasFetching);
  });
}

/** Fills a query without data. Called while rendering, which can be repeated or abandoned. */
export function fillServed(queries: QueryClient, queryKey: Key, served: object): void {
  // Data of a page that is shown again is old.
  if (checked.has(served) || queries.getQueryData(queryKey) !== undefined) return;
  filled.add(served);
  queries.setQueryData(queryKey, served);
}

/**
 * Fetches a query again whose data may be older than the served data, or than the last change.
 * @param wasFetching whether a request was in flight when the data arrived. A later one, of the same render, is newer.
 */
export function checkServed(queries: QueryClient, queryKey: Key, served: object, wasFetching: boolean): void {
  if (checked.has(served)) return;
  checked.add(served);
  // A streamed part of the page can arrive after a change that it does not contain.
  if (filled.has(served) && !hasChanged(queryKey[0])) return;
  void queries.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: wasFetching });
}
