'use client';

import { Count, InboxViewLink, useViewCounts } from '#app/components/shell/nav-link.tsx';
import type { ViewCounts } from '#server/screens/inbox/views.ts';

/** Views of the teams with their live numbers of open conversations. Nothing without teams. */
export function TeamLinks({ served }: { served: ViewCounts }) {
  const { teams } = useViewCounts(served);
  if (teams.length === 0) return null;
  return (
    <div className="grid gap-1">
      <p id="nav-teams" className="px-2 font-medium text-ink-faint text-xs">
        Teams
      </p>
      <ul aria-labelledby="nav-teams" className="grid gap-0.5">
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
