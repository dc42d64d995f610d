import { Inbox } from 'lucide-react';
import { ConversationLink } from '#app/components/conversations/conversation-link.tsx';
import { statusNames } from '#app/components/conversations/conversation-status-dot.tsx';
import { StatusTabs } from '#app/components/inbox/status-tabs.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { listConversations } from '#app/data/list-conversations.ts';
import { type InboxStatus, type InboxView, inboxPath } from '#app/lib/inbox-path.ts';

/** The list pane: tabs, then the newest conversations of one status. */
export async function ConversationList({ view }: { view: InboxView }) {
  const { rows, counts } = await listConversations(view.status);
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const total = view.status === 'all' ? all : (counts[view.status] ?? 0);
  return (
    <>
      <div className="border-b px-2.5 pb-2">
        <StatusTabs current={view.status} counts={counts} />
      </div>
      {rows.length === 0 ? (
        <EmptyState icon={Inbox} title={emptyTitle(view.status, all)}>
          <p>{emptyText(all)}</p>
        </EmptyState>
      ) : (
        <ul className="scroll-pane min-h-0 grow">
          {rows.map((row) => (
            <li key={row.id}>
              <ConversationLink
                row={row}
                href={inboxPath({ status: view.status, selected: row.id })}
                selected={row.id === view.selected}
              />
            </li>
          ))}
          {total > rows.length ? (
            <li className="px-4 py-3 text-ink-faint text-xs">
              The newest {rows.length} of {total.toLocaleString('en-GB')} are shown.
            </li>
          ) : null}
        </ul>
      )}
    </>
  );
}

function emptyTitle(status: InboxStatus, all: number): string {
  if (all === 0 || status === 'all') return 'No conversations yet';
  return `Nothing ${statusNames[status].toLowerCase()}`;
}

function emptyText(all: number): string {
  return all === 0
    ? 'When a contact writes on one of your channels, or a workflow starts a conversation, it appears here.'
    : 'Conversations with this status appear here. The other tabs show the rest.';
}
