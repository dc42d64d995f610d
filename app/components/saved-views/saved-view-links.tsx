'use client';

import { memo, useState } from 'react';
import { pathOf, useOpenSavedView } from '#app/components/saved-views/use-saved-views.ts';
import { Count, NavLink } from '#app/components/shell/nav-link.tsx';
import type { SavedView } from '#server/screens/inbox/views.ts';

/** Number of views shown before the others are folded. */
const SHOWN = 8;

/** Saved views with their live numbers of conversations. */
export default function SavedViewLinks({ saved }: { saved: SavedView[] }) {
  const open = useOpenSavedView();
  const folded = saved.slice(SHOWN);
  const isOpenFolded = folded.some(({ id }) => id === open?.id);
  // Folded links are not rendered: with fifty views, they would be a quarter of the page.
  const [isUnfolded, setIsUnfolded] = useState(false);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p id="nav-views" className="px-2 font-medium text-ink-faint text-xs">
        Views
      </p>
      <ViewList views={saved.slice(0, SHOWN)} openId={open?.id} />
      {folded.length > 0 ? (
        <details open={isOpenFolded} onToggle={({ currentTarget }) => setIsUnfolded(currentTarget.open)}>
          <summary className="focus-inset cursor-pointer rounded-lg px-2 py-1 text-ink-soft text-list hover:bg-hover max-md:py-3">
            {folded.length} more
          </summary>
          {isOpenFolded || isUnfolded ? <ViewList views={folded} openId={open?.id} /> : null}
        </details>
      ) : null}
    </div>
  );
}

function ViewList({ views, openId }: { views: SavedView[]; openId: string | undefined }) {
  return (
    <ul aria-labelledby="nav-views" className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
      {views.map((view) => (
        <li key={view.id}>
          <SavedViewLink view={view} here={view.id === openId} />
        </li>
      ))}
    </ul>
  );
}

const SavedViewLink = memo(function SavedViewLink({ view, here }: { view: SavedView; here: boolean }) {
  const { name, found } = view;
  return (
    <NavLink href={pathOf(view)} icon="savedView" here={here}>
      <bdi title={name} className="min-w-0 grow truncate">
        {name}
      </bdi>
      <Count of={found} words=" conversations" />
    </NavLink>
  );
});
