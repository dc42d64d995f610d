'use client';

import { type QueryKey, type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { LiveTopic } from '#server/screens/views.ts';

/** What was taken into a query: later it is only remembered there, and read again once it is forgotten. */
const taken = new WeakSet<object>();
/** Of what something has changed since the page was loaded. */
const changed = new Set<LiveTopic>();

/** Says that something of a topic has changed: what the server rendered before, and is taken later, is read again. */
export function noteChanged(topic: LiveTopic): void {
  changed.add(topic);
}

/**
 * A query that begins with what the server rendered the page with. When the server has rendered it again, that is shown.
 * @param served undefined: nothing of this query
 */
export function useServedQuery<Data extends object | null, Key extends readonly [LiveTopic, ...QueryKey]>(
  options: UseQueryOptions<Data, Error, Data, Key>,
  served: NonNullable<Data> | undefined,
) {
  const queries = useQueryClient();
  const fresh = served !== undefined && !taken.has(served) ? served : undefined;
  const { queryKey } = options;
  const [topic] = queryKey;
  useEffect(() => {
    if (fresh === undefined || taken.has(fresh)) return;
    taken.add(fresh);
    queries.setQueryData<Data>(queryKey, fresh);
    // A part of the page may answer long after the change that it does not show.
    if (changed.has(topic)) void queries.invalidateQueries({ queryKey, exact: true });
  });
  return useQuery({ ...options, ...(fresh === undefined ? {} : { initialData: fresh as never }) });
}
