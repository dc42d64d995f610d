'use client';

import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { showInbox } from '#app/components/inbox/show-inbox.ts';
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
  const isInbox = usePathname() === '/inbox';
  return (
    <ul aria-labelledby="nav-views" className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
      {views.map((view) => {
        const { id, name, found } = view;
        const href = pathOf(view);
        return (
          <li key={id}>
            <NavLink
              href={href}
              icon="savedView"
              here={id === openId}
              prefetch={false}
              onNavigate={(event) => {
                if (!isInbox) return;
                event.preventDefault();
                showInbox(href);
              }}
            >
              <bdi title={name} className="min-w-0 grow truncate">
                {name}
              </bdi>
              <Count of={found} words=" conversations" />
            </NavLink>
          </li>
        );
      })}
    </ul>
  );
}
