'use client';

import { usePathname } from 'next/navigation';
import { showInbox } from '#app/components/inbox/show-inbox.ts';
import { useOpenSavedView } from '#app/components/saved-views/use-saved-views.ts';
import { Count, NavLink } from '#app/components/shell/nav-link.tsx';
import { savedPath } from '#app/lib/inbox-path.ts';
import type { SavedView } from '#server/screens/inbox/views.ts';

/** Number of views shown before the others are folded. */
const SHOWN = 8;

/** Saved views with their live numbers of conversations. */
export default function SavedViewLinks({ saved }: { saved: SavedView[] }) {
  const open = useOpenSavedView();
  const folded = saved.slice(SHOWN);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p id="nav-views" className="px-2 font-medium text-ink-faint text-xs">
        Views
      </p>
      <ViewList views={saved.slice(0, SHOWN)} openId={open?.id} />
      {folded.length > 0 ? (
        <details open={folded.some(({ id }) => id === open?.id)}>
          <summary className="focus-inset cursor-pointer rounded-lg px-2 py-1 text-ink-soft text-list hover:bg-hover max-md:py-3">
            {folded.length} more
          </summary>
          <ViewList views={folded} openId={open?.id} />
        </details>
      ) : null}
    </div>
  );
}

function ViewList({ views, openId }: { views: SavedView[]; openId: string | undefined }) {
  const isInbox = usePathname() === '/inbox';
  return (
    <ul aria-labelledby="nav-views" className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
      {views.map(({ id, name, filters, found }) => {
        const href = savedPath(filters);
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
