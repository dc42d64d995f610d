'use client';

import { type UseInfiniteQueryResult, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { LoaderCircle } from 'lucide-react';
import { useRouter } from 'next/navigation';
import {
  type ReactNode,
  Suspense,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react';
import { ConversationLink } from '#app/components/conversations/conversation-link.tsx';
import { RowIcons } from '#app/components/conversations/row-icons.tsx';
import { goToWanted } from '#app/components/inbox/first-result.ts';
import { type ServedCounts, useInboxCounts } from '#app/components/inbox/inbox-hooks.ts';
import { ListSkeleton, RowSkeleton } from '#app/components/inbox/inbox-skeletons.tsx';
import { PrefetchingList } from '#app/components/inbox/prefetching-list.tsx';
import { SelectionBar, SelectRow, selectOnClick } from '#app/components/inbox/selectable-rows.tsx';
import { useSelection } from '#app/components/inbox/selection.ts';
import { StatusTabs } from '#app/components/inbox/status-tabs.tsx';
import { isPageRefused, queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import { listQuery, openedQuery } from '#app/components/view/inbox-queries.ts';
import { likelyNext, trackList } from '#app/components/view/open-neighbour.ts';
import { type InboxView, inboxPath } from '#app/lib/inbox-path.ts';
import { joinRows } from '#app/lib/join-rows.ts';
import type { ListPage } from '#app/lib/served-inbox.ts';

const listParts = lazyParts(() => import('#app/components/inbox/list-parts.ts'));
const EmptyList = listParts('EmptyList');
const MarkAllRead = listParts('MarkAllRead');

type Props = {
  view: InboxView;
  counts: ServedCounts;
  canSelect: boolean;
  /** Shown below the explanation of an empty list. */
  belowNothing: ReactNode;
};

/**
 * Status tabs and the conversations of a view, with infinite loading. Rows do not wait for the slower
 * tab counts. The rows of the previous view stay until the next ones arrive.
 */
export function ConversationList({ view, counts, canSelect, belowNothing }: Props) {
  const screens = useScreens();
  const router = useRouter();
  const query = useInfiniteQuery(listQuery(screens, view));
  const { data, error, isPlaceholderData } = query;
  // A click shows its view before the rows are rendered, even if they are there.
  const listed = useDeferredValue(data?.pages);
  const of = listed?.[0]?.of;
  const isRefused = isPageRefused(error);
  useEffect(() => {
    if (isRefused) router.refresh();
  }, [isRefused, router]);
  return (
    <>
      <div className="border-b px-2.5 pb-2">
        <Suspense fallback={<StatusTabs view={view} counts={null} />}>
          <CountedTabs view={view} first={counts} />
        </Suspense>
        {view.unread ? <MarkAllRead /> : null}
      </div>
      {error && !data ? (
        <div className="p-2.5">
          <Alert>{queryErrorMessage(error)}</Alert>
        </div>
      ) : null}
      {of || error ? null : <ListSkeleton />}
      {listed && of ? (
        <ConversationRows
          key={inboxPath(of)}
          pages={listed}
          query={query}
          of={of}
          selected={view.selected}
          isLeaving={isPlaceholderData || listed !== data?.pages}
          canSelect={canSelect}
          nothing={
            <>
              <EmptyList view={{ ...of, selected: view.selected }} first={counts} />
              {belowNothing}
            </>
          }
        />
      ) : null}
    </>
  );
}

function CountedTabs({ view, first }: { view: InboxView; first: ServedCounts }) {
  return <StatusTabs view={view} counts={useInboxCounts(view, first)} />;
}

/** Distance from the list's end, in CSS pixels, at which the next page loads. */
const PRELOAD_MARGIN = '600px';

/** Delay before the next conversation is prefetched, in ms. A teammate who skips rows fetches nothing extra. */
const SETTLED_MS = 150;

type RowsProps = {
  pages: ListPage[];
  query: Pick<
    UseInfiniteQueryResult,
    | 'isFetching'
    | 'isFetchingNextPage'
    | 'isFetchNextPageError'
    | 'isFetchPreviousPageError'
    | 'hasPreviousPage'
    | 'fetchNextPage'
    | 'fetchPreviousPage'
  >;
  /** The view of these rows. The next one may be loading. */
  of: InboxView;
  /** The open conversation. */
  selected: string | undefined;
  /** The rows of the next view are loading. */
  isLeaving: boolean;
  /** The teammate may change conversations, and so select them. */
  canSelect: boolean;
  nothing: ReactNode;
};

/** Conversation rows with infinite loading and a button as fallback. */
function ConversationRows({ pages, query, of, selected, isLeaving, canSelect, nothing }: RowsProps) {
  const screens = useScreens();
  // While the rows of the next view are loading, these are not those of the query.
  const isBusy = query.isFetching || isLeaving;
  const hasMore = pages.at(-1)?.nextCursor != null;
  const hasEarlier = query.hasPreviousPage && !isLeaving;
  const rows = joinRows(pages.map((page) => page.rows));
  const selection = useSelection();
  const loading = query.isFetchingNextPage;
  const failed = query.isFetchNextPageError;
  const loadMore = () => {
    if (!isBusy) void query.fetchNextPage();
  };
  const loadEarlier = async () => {
    const { hasPreviousPage, refetch } = await query.fetchPreviousPage();
    // Conversations may have arrived between the start and the rows that were loaded.
    if (!hasPreviousPage) await refetch();
  };
  const list = useRef<HTMLUListElement>(null);
  const end = useRef<HTMLLIElement>(null);
  const start = useRef<HTMLLIElement>(null);
  const load = useEffectEvent((at: Element) => {
    if (at === end.current) loadMore();
    else void loadEarlier();
  });
  const isListed = rows.some(({ id }) => id === selected);

  // Scroll the open conversation into view as soon as its row is rendered.
  useEffect(() => {
    if (!isListed || !selected) return;
    list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [selected, isListed]);

  // Before the rows are painted: a key pressed as soon as a row appears must not open a row of the list before. The list of
  // another view replaces this one in the same commit, so that this one ends before that begins.
  useLayoutEffect(() => trackList({ ids: rows.map(({ id }) => id), selected }));
  useLayoutEffect(() => () => trackList(null), []);
  useEffect(goToWanted);
  const queries = useQueryClient();
  useEffect(() => {
    if (!selected) return;
    const timer = setTimeout(() => {
      const id = likelyNext();
      if (id !== undefined) void queries.prefetchQuery(openedQuery(screens, id));
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [selected, queries, screens]);

  // Observe again after each page, because a short page leaves the end in view.
  useEffect(() => {
    if (isBusy || failed || query.isFetchPreviousPageError || !(hasMore || hasEarlier)) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const reached = entries.find(({ isIntersecting }) => isIntersecting);
        if (reached) load(reached.target);
      },
      { root: list.current, rootMargin: `${PRELOAD_MARGIN} 0px` },
    );
    for (const { current } of [start, end]) if (current) observer.observe(current);
    return () => observer.disconnect();
  }, [hasMore, hasEarlier, isBusy, failed, query.isFetchPreviousPageError]);

  if (rows.length === 0 && !hasMore) return nothing;
  return (
    <>
      <RowIcons />
      <PrefetchingList
        ref={list}
        aria-label="Conversations"
        aria-busy={loading || isLeaving}
        data-selecting={selection.isOn || undefined}
        onClickCapture={canSelect ? (event) => selectOnClick(event, rows, selection) : undefined}
        className="rows scroll-pane min-h-0 grow"
        data-conversation-list={inboxPath({ ...of, selected: undefined })}
      >
        {hasEarlier ? (
          <li ref={start}>
            <RowSkeleton />
          </li>
        ) : null}
        {rows.map((row) => (
          <li key={row.id}>
            <ConversationLink
              row={row}
              unread={row.unread}
              href={inboxPath({ ...of, selected: row.id })}
              selected={row.id === selected}
              listed={of.status}
              search={of.search}
              inInbox
            />
            {canSelect ? (
              <SelectRow row={row} checked={selection.ids.has(row.id)} isOpen={row.id === selected} />
            ) : null}
          </li>
        ))}
        {hasMore ? (
          <li ref={end}>
            {loading ? <RowSkeleton /> : null}
            <div className="grid justify-items-center gap-2 px-4 py-3 text-ink-soft text-xs">
              {failed ? <p role="alert">Could not load more conversations.</p> : null}
              <Button variant="quiet" aria-disabled={loading} onClick={loadMore}>
                {loading ? <LoaderCircle aria-hidden size={16} className="animate-spin" /> : null}
                {failed ? 'Try again' : loading ? 'Loading more' : 'Load more'}
              </Button>
            </div>
          </li>
        ) : null}
      </PrefetchingList>
      {canSelect ? <SelectionBar rows={rows} of={of} hasMore={hasMore} /> : null}
    </>
  );
}
