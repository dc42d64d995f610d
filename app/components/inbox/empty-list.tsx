import { Inbox, SearchX } from 'lucide-react';
import Link from 'next/link';
import { statusNames } from '#app/components/conversations/conversation-status-dot.tsx';
import { buttonClass } from '#app/components/ui/button-class.ts';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { type InboxView, inboxPath, isNarrowed } from '#app/lib/inbox-path.ts';
import type { InboxCounts } from '#server/inbox/conversations/views.ts';

/** What stands where no conversation is listed: why, and how to see some. */
export async function EmptyList({ view, counts }: { view: InboxView; counts: Promise<InboxCounts> }) {
  const { status, selected, assignee } = view;
  const elsewhere =
    status !== 'all' && Object.values(await counts).some(({ count, more }) => count > 0 || more);
  if (isNarrowed(view)) {
    return (
      <EmptyState
        icon={SearchX}
        title="Nothing found"
        action={
          elsewhere ? (
            <Link href={inboxPath({ ...view, status: 'all' })} className={buttonClass('secondary')}>
              Show every status
            </Link>
          ) : (
            <Link href={inboxPath({ status, selected, assignee })} className={buttonClass('secondary')}>
              Clear filters
            </Link>
          )
        }
      >
        <p>
          {elsewhere
            ? `Nothing ${wordOf(status)} fits the search and filters. Other statuses have conversations that do.`
            : 'No conversation fits the search and filters. Try fewer words or fewer filters.'}
        </p>
      </EmptyState>
    );
  }
  if (elsewhere) {
    return (
      <EmptyState icon={Inbox} title={`Nothing ${wordOf(status)}`}>
        <p>Conversations with this status appear here. The other tabs show the rest.</p>
      </EmptyState>
    );
  }
  if (assignee) {
    return (
      <EmptyState
        icon={Inbox}
        title={assignee === 'unassigned' ? 'Nothing waits for anybody' : 'Nothing assigned'}
      >
        <p>
          {assignee === 'unassigned'
            ? 'Conversations that nobody has taken appear here.'
            : 'Conversations appear here once they are assigned.'}
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
