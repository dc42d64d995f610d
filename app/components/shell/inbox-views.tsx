import { Suspense } from 'react';
import { InboxViewLink } from '#app/components/shell/inbox-view-link.tsx';
import { LiveCount } from '#app/components/shell/live-count.tsx';
import { countViews } from '#app/data/count-views.ts';
import type { ViewCounts } from '#server/screens/inbox/views.ts';

type View = { view: keyof ViewCounts; name: string; assignee?: 'me' | 'unassigned' };

const views: View[] = [
  { view: 'mine', name: 'Assigned to me', assignee: 'me' },
  { view: 'unassigned', name: 'Unassigned', assignee: 'unassigned' },
  { view: 'all', name: 'All' },
];

/** The inbox by whose a conversation is; each says how many are open. */
export function InboxViews() {
  return (
    <div className="grid gap-1">
      <p id="nav-inbox" className="px-2 font-medium text-ink-faint text-xs">
        Inbox
      </p>
      <ul aria-labelledby="nav-inbox" className="grid gap-0.5">
        {views.map(({ view, name, assignee }) => (
          <li key={view}>
            <InboxViewLink assignee={assignee} icon={view}>
              <span className="grow">{name}</span>
              <Suspense fallback={null}>
                <OpenCount view={view} />
              </Suspense>
            </InboxViewLink>
          </li>
        ))}
      </ul>
    </div>
  );
}

async function OpenCount({ view }: { view: keyof ViewCounts }) {
  return <LiveCount view={view} served={await countViews()} />;
}
