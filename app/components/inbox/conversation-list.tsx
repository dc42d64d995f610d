'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type ReactNode, Suspense, useDeferredValue, useEffect } from 'react';
import { ConversationRows } from '#app/components/inbox/conversation-rows.tsx';
import { type ServedCounts, useInboxCounts } from '#app/components/inbox/inbox-hooks.ts';
import { ListSkeleton } from '#app/components/inbox/inbox-skeletons.tsx';
import { StatusTabs } from '#app/components/inbox/status-tabs.tsx';
import { isPageRefused, queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { Alert } from '#app/components/ui/alert.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import { listQuery } from '#app/components/view/inbox-queries.ts';
import { type InboxView, inboxPath } from '#app/lib/inbox-path.ts';

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
