'use client';

import { type QueryKey, type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { LiveTopic } from '#server/screens/views.ts';

/** Served data that already is in the query cache. Later only the cache counts. */
const cached = new WeakSet<object>();
/** Topics that changed since the page was loaded. */
const changed = new Set<LiveTopic>();

/** Marks a topic as changed, so that served data that arrives later is refetched. */
export function markChanged(topic: LiveTopic): void {
  changed.add(topic);
}

/**
 * Returns server-rendered initial data as an option of a query. A new server render replaces the data.
 * @param served undefined when the server rendered no data for this query
 * @param hasMore whether the query has more data than the server rendered, and is fetched instead
 */
export function useServedData<Data extends object>(
  queryKey: readonly [LiveTopic, ...QueryKey],
  served: Data | undefined,
  hasMore: (shown: Data) => boolean = () => false,
): { initialData?: Data } {
  const queries = useQueryClient();
  const fresh = served !== undefined && !cached.has(served) ? served : undefined;
  const [topic] = queryKey;
  useEffect(() => {
    if (fresh === undefined || cached.has(fresh)) return;
    cached.add(fresh);
    const shown = queries.getQueryData<Data>(queryKey);
    const keeps = shown !== undefined && hasMore(shown);
    if (!keeps) queries.setQueryData<Data>(queryKey, fresh);
    // A streamed part of the page may arrive after a change that it does not contain.
    if (keeps || changed.has(topic)) void queries.invalidateQueries({ queryKey, exact: true });
  });
  return fresh === undefined ? {} : { initialData: fresh };
}

/** A query with server-rendered initial data. */
export function useServedQuery<Data extends object | null, Key extends readonly [LiveTopic, ...QueryKey]>(
  options: UseQueryOptions<Data, Error, Data, Key>,
  served: NonNullable<Data> | undefined,
) {
  return useQuery({ ...options, ...(useServedData(options.queryKey, served) as object) });
}
