'use client';

import { InboxViewLink, useViewCounts } from '#app/components/shell/inbox-view-link.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import { Count } from '#app/components/view/nav-link.tsx';
import type { ViewCounts } from '#server/screens/inbox/views.ts';

const rareParts = lazyParts(() => import('#app/components/shell/rare-parts.ts'));
const SavedViewLinks = rareParts('SavedViewLinks');

/** Saved views, and views of the teams, with their live numbers of conversations. */
export function ViewLinks({ served }: { served: ViewCounts }) {
  const { saved, teams } = useViewCounts(served);
  return (
    <>
      {saved.length > 0 ? <SavedViewLinks saved={saved} /> : null}
      {teams.length > 0 ? <TeamLinks teams={teams} /> : null}
    </>
  );
}

function TeamLinks({ teams }: Pick<ViewCounts, 'teams'>) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1 low:gap-0.5">
      <p id="nav-teams" className="px-2 font-medium text-ink-faint text-xs">
        Teams
      </p>
      <ul aria-labelledby="nav-teams" className="grid grid-cols-[minmax(0,1fr)] gap-0.5 low:gap-0">
        {teams.map(({ id, name, open }) => (
          <li key={id}>
            <InboxViewLink team={id} icon="teams">
              <bdi title={name} className="min-w-0 grow truncate">
                {name}
              </bdi>
              <Count of={open} words=" open" />
            </InboxViewLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
