import { useQuery } from '@tanstack/react-query';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import type { Found } from '#app/components/ui/radio-list.tsx';
import { useDebounced } from '#app/components/ui/use-debounced.ts';
import type { InboxRow } from '#server/screens/inbox/views.ts';

/** Maximum numbers of conversations. */
const ASSIGNED_MAX = 5;
const RECENT_MAX = 15;
const RESULTS_MAX = 20;
/** Debounce of the search, in ms. */
const DEBOUNCE_MS = 250;

export type ShareChoices = { title: string; rows: InboxRow[] }[];

/**
 * Returns the open conversations of the teammate and the newest others, or what a search finds. The list of the inbox leaves out what
 * the teammate does not see.
 */
export function useShareChoices(search: string): ShareChoices | Exclude<Found<never>, never[]> {
  const screens = useScreens();
  const debounced = useDebounced(search, DEBOUNCE_MS);
  const words = debounced.trim();
  const { data, error } = useQuery({
    queryKey: ['conversations', 'share', words],
    queryFn: async ({ signal }): Promise<ShareChoices> => {
      if (words !== '') {
        const { rows } = await screens.inbox.list.query({ search: debounced, rows: RESULTS_MAX }, { signal });
        return [{ title: 'Results', rows }];
      }
      const [assigned, recent] = await Promise.all([
        screens.inbox.list.query({ status: 'open', assignee: 'me', rows: ASSIGNED_MAX }, { signal }),
        screens.inbox.list.query({ rows: RECENT_MAX }, { signal }),
      ]);
      const others = recent.rows.filter(({ id }) => !assigned.rows.some((row) => row.id === id));
      return [
        { title: 'Assigned to you', rows: assigned.rows },
        { title: 'Recent', rows: others },
      ];
    },
  });
  if (debounced !== search) return null;
  if (error) return { problem: queryErrorMessage(error) };
  return data ?? null;
}
