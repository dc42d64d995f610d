'use client';

import { Inbox, SearchX } from 'lucide-react';
import { statusNames } from '#app/components/conversations/conversation-status-dot.tsx';
import { type ServedCounts, useInboxCounts } from '#app/components/inbox/inbox-hooks.ts';
import { InboxLink } from '#app/components/inbox/inbox-link.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { type InboxView, inboxPath, isNarrowed } from '#app/lib/inbox-path.ts';

/** Shown when no conversation is listed: why, and how to see some. */
export function EmptyList({ view, first }: { view: InboxView; first: ServedCounts }) {
  const { status, selected, assignee } = view;
  const counts = useInboxCounts(view, first);
  // What to say depends on the others.
  if (counts === null) return null;
  const elsewhere = status !== 'all' && Object.values(counts).some(({ count, more }) => count > 0 || more);
  if (isNarrowed(view)) {
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
            <InboxLink href={inboxPath({ status, selected, assignee })} className={buttonClass('secondary')}>
              Clear filters
            </InboxLink>
          )
        }
      >
        <p>
          {elsewhere
            ? `No ${wordOf(status)} conversation matches the search and filters. Conversations with other statuses do.`
            : 'No conversation matches the search and filters. Try fewer words or filters.'}
        </p>
      </EmptyState>
    );
  }
  if (elsewhere) {
    return (
      <EmptyState icon={Inbox} title={`No ${wordOf(status)} conversations`}>
        <p>Conversations with this status appear here.</p>
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

function wordOf(status: InboxView['status']): string {
  return status === 'all' ? 'here' : statusNames[status].toLowerCase();
}
