'use client';

import { queryOptions, useQuery } from '@tanstack/react-query';
import { memo, useState } from 'react';
import type { ScreensClient } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { pathOf, useOpenSavedViews } from '#app/components/saved-views/use-saved-views.ts';
import { Count, NavLink } from '#app/components/view/nav-link.tsx';
import { SHOWN_VIEWS } from '#server/screens/inbox/shown-views.ts';
import type { SavedView, ShownCount } from '#server/screens/inbox/views.ts';

type Counts = Record<string, ShownCount>;

/** Saved views with their live numbers of conversations. */
export function SavedViewLinks({ saved }: { saved: SavedView[] }) {
  const [open] = useOpenSavedViews();
  const folded = saved.slice(SHOWN_VIEWS);
  const isOpenFolded = folded.some(({ id }) => id === open?.id);
  // Folded links are not rendered: with fifty views, they would be a quarter of the page.
  const [isUnfolded, setIsUnfolded] = useState(false);
  const showsAll = isOpenFolded || isUnfolded;
  const { data: counts } = useQuery({ ...foldedCountsQuery(useScreens()), enabled: showsAll });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1 low:gap-0.5">
      <p id="nav-views" className="px-2 font-medium text-ink-faint text-xs">
        Views
      </p>
      <ViewList views={saved.slice(0, SHOWN_VIEWS)} openId={open?.id} />
      {folded.length > 0 ? (
        <details open={isOpenFolded} onToggle={({ currentTarget }) => setIsUnfolded(currentTarget.open)}>
          <summary className="focus-inset cursor-pointer rounded-lg px-2 py-1 text-ink-soft text-list hover:bg-hover max-md:py-3">
            {folded.length} more
          </summary>
          {showsAll ? <ViewList views={folded} openId={open?.id} counts={counts} /> : null}
        </details>
      ) : null}
    </div>
  );
}

type ViewListProps = { views: SavedView[]; openId: string | undefined; counts?: Counts | undefined };

/** @param counts those of folded views, once they are loaded */
function ViewList({ views, openId, counts = {} }: ViewListProps) {
  return (
    <ul aria-labelledby="nav-views" className="grid grid-cols-[minmax(0,1fr)] gap-0.5 low:gap-0">
      {views.map((view) => (
        <li key={view.id}>
          <SavedViewLink view={view} here={view.id === openId} found={counts[view.id] ?? view.found} />
        </li>
      ))}
    </ul>
  );
}

type SavedViewLinkProps = { view: SavedView; here: boolean; found: ShownCount };

const SavedViewLink = memo(function SavedViewLink({ view, here, found }: SavedViewLinkProps) {
  const { name } = view;
  return (
    <NavLink href={pathOf(view)} icon="savedView" here={here}>
      <bdi title={name} className="min-w-0 grow truncate">
        {name}
      </bdi>
      <Count of={found} words=" conversations" />
    </NavLink>
  );
});

/** Counts of the saved views that the navigation folds, by their ids. */
function foldedCountsQuery(screens: ScreensClient) {
  return queryOptions({
    queryKey: ['conversations', 'foldedCounts'] as const,
    queryFn: ({ signal }) => screens.inbox.foldedCounts.query(undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
