import { Suspense } from 'react';
import { InboxViewLink, LiveCount, NavLink } from '#app/components/shell/nav-link.tsx';
import { countViews } from '#app/data/cached-reads.ts';
import type { ViewCounts } from '#server/screens/inbox/views.ts';

/** Links to the pages that this teammate may open. `isAdmin`: owner or admin. */
export function Navigation({ isAdmin, isViewer }: { isAdmin: boolean; isViewer: boolean }) {
  return (
    <nav aria-label="Main" className="grid gap-5 p-2">
      <InboxViews seesDeleted={isAdmin} />
      <ul className="grid gap-0.5">
        <li>
          <NavLink href="/contacts" icon="contacts">
            Contacts
          </NavLink>
        </li>
      </ul>
      <div className="grid gap-1">
        <p id="nav-settings" className="px-2 font-medium text-ink-faint text-xs">
          Settings
        </p>
        <ul aria-labelledby="nav-settings" className="grid gap-0.5">
          {isAdmin ? (
            <li>
              <NavLink href="/settings/integrations" icon="integrations">
                Integrations
              </NavLink>
            </li>
          ) : null}
          <li>
            <NavLink href="/settings/teammates" icon="teammates">
              Teammates
            </NavLink>
          </li>
          <li>
            <NavLink href="/settings/teams" icon="teams">
              Teams
            </NavLink>
          </li>
          {isAdmin ? (
            <li>
              <NavLink href="/settings/workspace" icon="workspace">
                Workspace
              </NavLink>
            </li>
          ) : null}
          {isViewer ? null : (
            <li>
              <NavLink href="/settings/saved-replies" icon="savedReplies">
                Saved replies
              </NavLink>
            </li>
          )}
          <li>
            <NavLink href="/settings/ai-agent" icon="agent">
              AI agent
            </NavLink>
          </li>
          <li>
            <NavLink href="/settings/flows" icon="automations">
              Automations
            </NavLink>
          </li>
          {isAdmin ? (
            <>
              <li>
                <NavLink href="/settings/web-chat" icon="chat">
                  Web chat
                </NavLink>
              </li>
              <li>
                <NavLink href="/settings/channels" icon="channels">
                  Channels
                </NavLink>
              </li>
              <li>
                <NavLink href="/settings/blocked-senders" icon="spam">
                  Blocked senders
                </NavLink>
              </li>
            </>
          ) : null}
          <li>
            <NavLink href="/settings/plan" icon="plan">
              Plan
            </NavLink>
          </li>
        </ul>
      </div>
    </nav>
  );
}

type View = {
  view: keyof ViewCounts;
  name: string;
  assignee?: 'me' | 'unassigned';
  reply?: 'failed';
  snoozed?: 'yes';
  unread?: 'yes';
};

const views: View[] = [
  { view: 'mine', name: 'Assigned to me', assignee: 'me' },
  { view: 'unassigned', name: 'Unassigned', assignee: 'unassigned' },
  { view: 'unread', name: 'Unread', unread: 'yes' },
  { view: 'all', name: 'All' },
  { view: 'failed', name: 'Failed', reply: 'failed' },
  { view: 'snoozed', name: 'Snoozed', snoozed: 'yes' },
];

/** Inbox views with their numbers of open conversations, then Spam and Deleted. */
function InboxViews({ seesDeleted }: { seesDeleted: boolean }) {
  return (
    <div className="grid gap-1">
      <p id="nav-inbox" className="px-2 font-medium text-ink-faint text-xs">
        Inbox
      </p>
      <ul aria-labelledby="nav-inbox" className="grid gap-0.5">
        {views.map(({ view, name, assignee, reply, unread, snoozed }) => (
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

async function OpenCount({ view }: { view: keyof ViewCounts }) {
  return <LiveCount view={view} served={await countViews()} />;
}
