import { Suspense } from 'react';
import { InboxViewLink, LiveCount } from '#app/components/shell/inbox-view-link.tsx';
import { INBOX_VIEWS, isIn, settingsGroups } from '#app/components/shell/pages.ts';
import { SettingsLinks } from '#app/components/shell/settings-links.tsx';
import { ViewLinks } from '#app/components/shell/view-links.tsx';
import { NavLink } from '#app/components/view/nav-link.tsx';
import { countViews } from '#app/data/cached-reads.ts';
import type { SidebarView } from '#server/screens/inbox/views.ts';

/** Links to the pages that a teammate with this role may open. */
export function Navigation({ role, isTest }: { role: string; isTest: boolean }) {
  return (
    <nav aria-label="Main" className="grid grid-cols-[minmax(0,1fr)] gap-5 p-2 low:gap-2.5 low:py-1">
      <InboxViews seesDeleted={isIn('admins', role)} />
      <Suspense fallback={null}>
        <SavedAndTeamViews />
      </Suspense>
      <ul className="grid gap-0.5 low:gap-0">
        <li>
          <NavLink href="/contacts" icon="contacts">
            Contacts
          </NavLink>
        </li>
        {isIn('admins', role) ? (
          <li>
            <NavLink href="/reports" icon="reports">
              Reports
            </NavLink>
          </li>
        ) : null}
      </ul>
      <SettingsLinks groups={settingsGroups({ role, isTest })} />
    </nav>
  );
}

/** Inbox views with their numbers of open conversations, then Spam and Deleted. */
function InboxViews({ seesDeleted }: { seesDeleted: boolean }) {
  return (
    <div className="grid gap-1 low:gap-0.5">
      <p id="nav-inbox" className="px-2 font-medium text-ink-faint text-xs">
        Inbox
      </p>
      <ul aria-labelledby="nav-inbox" className="grid gap-0.5 low:gap-0">
        {INBOX_VIEWS.map(({ view, name, filters: { assignee, reply, unread, snoozed } }) => (
          <li key={view}>
            <InboxViewLink assignee={assignee} reply={reply} unread={unread} snoozed={snoozed} icon={view}>
              <span className="grow">{name}</span>
              <Suspense fallback={null}>
                <OpenCount view={view} />
              </Suspense>
            </InboxViewLink>
          </li>
        ))}
        <li>
          <NavLink href="/inbox/spam" icon="spam">
            Spam
          </NavLink>
        </li>
        {seesDeleted ? (
          <li>
            <NavLink href="/inbox/deleted" icon="deleted">
              Deleted
            </NavLink>
          </li>
        ) : null}
      </ul>
    </div>
  );
}

async function SavedAndTeamViews() {
  return <ViewLinks served={await countViews()} />;
}

async function OpenCount({ view }: { view: SidebarView }) {
  return <LiveCount view={view} served={await countViews()} />;
}
