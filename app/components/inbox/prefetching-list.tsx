import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, type SyntheticEvent, useState } from 'react';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { useDebounced } from '#app/components/ui/use-debounced.ts';
import { openedQuery } from '#app/components/view/inbox-queries.ts';

/**
 * Delay between hovering a row and prefetching its conversation, in ms. A pointer that crosses the list fetches
 * nothing.
 */
const REST_MS = 60;

/** A list of rows with `data-conversation`, which prefetches the conversation of the one that is hovered, pressed or focused. */
export function PrefetchingList({ children, ...props }: ComponentProps<'ul'>) {
  const screens = useScreens();
  const queries = useQueryClient();
  const [over, setOver] = useState<string>();
  const rested = useDebounced(over, REST_MS);
  const enter = (event: SyntheticEvent) => setOver(rowOf(event));
  return (
    <ul
      {...props}
      onPointerOver={enter}
      onPointerLeave={() => setOver(undefined)}
      onPointerDown={(event) => {
        const id = rowOf(event);
        if (id !== undefined) void queries.prefetchQuery(openedQuery(screens, id));
      }}
      onFocus={enter}
    >
      {children}
      {rested === undefined ? null : <Prefetched id={rested} />}
    </ul>
  );
}

/** Fetches a conversation. Leaving it cancels the request, unless the conversation is shown. */
function Prefetched({ id }: { id: string }) {
  useQuery({ ...openedQuery(useScreens(), id), notifyOnChangeProps: [] });
  return null;
}

function rowOf({ target }: SyntheticEvent): string | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<HTMLElement>('[data-conversation]')?.dataset.conversation;
}
