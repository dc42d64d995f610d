'use client';

import { useQuery } from '@tanstack/react-query';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { useServed } from '#app/components/live/use-served.ts';
import { useOpenSavedViews } from '#app/components/saved-views/use-saved-views.ts';
import type { ViewFilters } from '#app/components/shell/pages.ts';
import { viewCountsQuery } from '#app/components/view/inbox-queries.ts';
import { useListView } from '#app/components/view/inbox-view.tsx';
import { Count, type NavIconName, NavLink } from '#app/components/view/nav-link.tsx';
import { viewPath } from '#app/lib/inbox-path.ts';
import type { ShownCount, SidebarView, ViewCounts } from '#server/screens/inbox/views.ts';

type InboxViewLinkProps = ViewFilters & { icon: NavIconName; children: ReactNode };

/** Link to a view of the inbox. Stays current under further filters, except that teams and saved views have their own links. */
export function InboxViewLink(props: InboxViewLinkProps) {
  const { assignee, reply, snoozed, unread, team, icon, children } = props;
  // Named, because props that are undefined do not arrive from the server.
  const own = { assignee, reply, snoozed, unread };
  const filters = { ...own, team };
  const isInbox = usePathname() === '/inbox';
  const view = useListView();
  const isSaved = useOpenSavedViews().length > 0;
  const isAnyTeam = team === undefined && Object.values(own).some((value) => value !== undefined);
  const isShown = Object.entries(isAnyTeam ? own : filters).every(
    ([name, value]) => view[name as keyof ViewFilters] === value,
  );
  return (
    <NavLink href={viewPath(filters)} icon={icon} here={isInbox && isShown && !isSaved}>
      {children}
    </NavLink>
  );
}

/** Views that are not limited to open conversations. */
const IN_ANY_STATUS: SidebarView[] = ['failed', 'scheduled', 'snoozed'];

/** Live number of conversations in a view. */
export function LiveCount({ view, served }: { view: SidebarView; served: ViewCounts }) {
  const counts = useViewCounts(served);
  const count = counts[view];
  const noun = isOne(count) ? ' conversation' : ' conversations';
  return <Count of={count} words={IN_ANY_STATUS.includes(view) ? noun : ' open'} />;
}

function isOne({ count, more }: ShownCount): boolean {
  return count === 1 && !more;
}

/** Returns the current counts of the sidebar. */
export function useViewCounts(served: ViewCounts): ViewCounts {
  const query = viewCountsQuery(useScreens());
  useServed(query.queryKey, served);
  return useQuery(query).data ?? served;
}
