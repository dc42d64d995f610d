'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import type { ReactNode } from 'react';
import { showInbox } from '#app/components/inbox/show-inbox.ts';
import type { NavIconName } from '#app/components/shell/nav-icon.tsx';
import { NavLink } from '#app/components/shell/nav-link.tsx';
import { inboxPath } from '#app/lib/inbox-path.ts';

type Props = { assignee: 'me' | 'unassigned' | undefined; icon: NavIconName; children: ReactNode };

/** A view of the inbox in the navigation; marked while the list is this view, however it is narrowed further. */
export function InboxViewLink({ assignee, icon, children }: Props) {
  const here = usePathname() === '/inbox';
  const shown = useSearchParams().get('assignee') ?? undefined;
  const href = inboxPath({ status: 'open', selected: undefined, assignee });
  return (
    // Not fetched ahead: each live message would fetch all of them again.
    <NavLink
      href={href}
      icon={icon}
      here={here && shown === assignee}
      prefetch={false}
      onNavigate={(event) => {
        if (!here) return;
        event.preventDefault();
        showInbox(href);
      }}
    >
      {children}
    </NavLink>
  );
}
