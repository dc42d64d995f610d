'use client';

import { LoaderCircle } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { ConversationLink } from '#app/components/conversations/conversation-link.tsx';
import { RowSigns } from '#app/components/conversations/row-signs.tsx';
import { RowSkeleton } from '#app/components/inbox/inbox-skeletons.tsx';
import { useFetchAhead } from '#app/components/inbox/use-fetch-ahead.ts';
import { joinRows } from '#app/components/live/live-list.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { useLiveList } from '#app/components/live/use-live-list.ts';
import { Button } from '#app/components/ui/button.tsx';
import { conversationsInput, type InboxView, inboxPath } from '#app/lib/inbox-path.ts';
import type { InboxPage } from '#server/screens/inbox/views.ts';

/** How far before its end the list loads on. */
const AHEAD = '600px';

/** More than the first page: a list that was scrolled is read again in few requests. */
const FURTHER_ROWS = 50;

type Props = {
  first: InboxPage;
  view: InboxView;
  /** The rows of another view are on their way. */
  isLeaving: boolean;
  nothing: ReactNode;
};

/** The rows of the list. The next ones are fetched as the end comes near, or by the button at the end. */
export function ConversationRows({ first, view, isLeaving, nothing }: Props) {
  const screens = useScreens();
  const ahead = useFetchAhead();
  const { pages, hasMore, isFetching, state, loadMore } = useLiveList({
    key: ['inbox.list', conversationsInput(view)],
    first,
    next: (page) => page.nextCursor,
    load: (cursor, signal) =>
      screens.inbox.list.query({ ...conversationsInput(view), cursor, rows: FURTHER_ROWS }, { signal }),
  });
  const rows = joinRows(pages.map((page) => page.rows));
  const loading = state === 'loading';
  const failed = state === 'failed';
  const load = useEffectEvent(() => void loadMore());
  const list = useRef<HTMLUListElement>(null);
  const end = useRef<HTMLLIElement>(null);
  const { selected } = view;
  const isThere = rows.some(({ id }) => id === selected);

  // An opened conversation is shown in the list as soon as its row is there.
  useEffect(() => {
    if (!isThere || !selected) return;
    list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [selected, isThere]);

  // Watched again for each page, as a short one may leave the end in sight.
  useEffect(() => {
    if (!end.current || !hasMore || isFetching || failed) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) load();
      },
      { root: list.current, rootMargin: `0px 0px ${AHEAD} 0px` },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasMore, isFetching, failed]);

  if (rows.length === 0 && !hasMore) return nothing;
  return (
    <>
      <RowSigns />
      <ul
        ref={list}
        aria-label="Conversations"
        aria-busy={loading || isLeaving}
        {...ahead}
        className="rows scroll-pane min-h-0 grow"
        data-conversation-list
      >
        {rows.map((row) => (
          <li key={row.id}>
            <ConversationLink
              row={row}
              href={inboxPath({ ...view, selected: row.id })}
              selected={row.id === selected}
              listed={view.status}
              inInbox
            />
          </li>
        ))}
        {hasMore ? (
          <li ref={end}>
            {loading ? <RowSkeleton /> : null}
            <div className="grid justify-items-center gap-2 px-4 py-3 text-ink-soft text-xs">
              {failed ? <p role="alert">More conversations could not be loaded.</p> : null}
              <Button variant="quiet" aria-disabled={loading} onClick={() => void loadMore()}>
                {loading ? <LoaderCircle aria-hidden size={16} className="animate-spin" /> : null}
                {failed ? 'Try again' : loading ? 'Loading more' : 'Load more'}
              </Button>
            </div>
          </li>
        ) : (
          <li className="px-4 py-3 text-center text-ink-faint text-xs">End of the list.</li>
        )}
      </ul>
    </>
  );
}
