'use client';

import { CalendarClock, CircleCheck, Clock, Inbox, SearchX } from 'lucide-react';
import { statusNames } from '#app/components/conversations/conversation-status-dot.tsx';
import { type ServedCounts, useInboxCounts } from '#app/components/inbox/inbox-hooks.ts';
import { buttonClass } from '#app/components/ui/button.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { InboxLink } from '#app/components/view/inbox-view.tsx';
import { hasFilters, type InboxView, inboxPath } from '#app/lib/inbox-path.ts';

/** Explains an empty list and offers a way to see conversations. */
export function EmptyList({ view, first }: { view: InboxView; first: ServedCounts }) {
  const { status, selected, sort, assignee, reply, unread, snoozed } = view;
  const counts = useInboxCounts(view, first);
  // The text depends on the counts of the other statuses.
  if (counts === null) return null;
  const elsewhere = status !== 'all' && Object.values(counts).some(({ count, more }) => count > 0 || more);
  if (hasFilters(view)) {
    return (
      <EmptyState
        icon={SearchX}
        title="No conversations found"
        action={
          elsewhere ? (
            <InboxLink href={inboxPath({ ...view, status: 'all' })} className={buttonClass('secondary')}>
              Show all statuses
            </InboxLink>
          ) : (
            <InboxLink
              href={inboxPath({ status, selected, sort, assignee, reply, unread, snoozed })}
              className={buttonClass('secondary')}
            >
              Clear filters
            </InboxLink>
          )
        }
      >
        <p>
          {elsewhere
            ? `No ${statusWord(status)} conversation matches the search and filters. Other statuses have matches.`
            : 'No conversation matches the search and filters. Try fewer words or filters.'}
        </p>
      </EmptyState>
    );
  }
  if (unread && !elsewhere) {
    return (
      <EmptyState icon={CircleCheck} title="Nothing unread">
        <p>Conversations with messages that you haven’t read appear here.</p>
      </EmptyState>
    );
  }
  if (snoozed) {
    return (
      <EmptyState icon={Clock} title="Nothing snoozed">
        <p>Snoozed conversations appear here until the time you set, or until the contact replies.</p>
      </EmptyState>
    );
  }
  if (reply === 'scheduled' && !elsewhere) {
    return (
      <EmptyState icon={CalendarClock} title="Nothing scheduled">
        <p>Conversations with a reply that is sent later appear here.</p>
      </EmptyState>
    );
  }
  if (reply && !elsewhere) {
    return (
      <EmptyState icon={CircleCheck} title="No failed replies">
        <p>Conversations whose last reply did not reach the contact appear here.</p>
      </EmptyState>
    );
  }
  if (elsewhere) {
    return (
      <EmptyState icon={Inbox} title={`No ${statusWord(status)} conversations`}>
        <p>Conversations with this status appear here.</p>
      </EmptyState>
    );
  }
  if (view.team) {
    return (
      <EmptyState icon={Inbox} title="Nothing in this team">
        <p>Conversations appear here once they are moved to this team.</p>
      </EmptyState>
    );
  }
  if (assignee) {
    return (
      <EmptyState
        icon={Inbox}
        title={assignee === 'unassigned' ? 'Nothing unassigned' : 'Nothing assigned to you'}
      >
        <p>
          {assignee === 'unassigned'
            ? 'Conversations without an assignee appear here.'
            : 'Conversations appear here once they are assigned to you.'}
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Inbox} title="No conversations yet">
      <p>
        When a contact writes on one of your channels, or a workflow starts a conversation, it appears here.
      </p>
    </EmptyState>
  );
}

function statusWord(status: InboxView['status']): string {
  return status === 'all' ? 'here' : statusNames[status].toLowerCase();
}
