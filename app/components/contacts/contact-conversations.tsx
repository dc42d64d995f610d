import { MessageSquare } from 'lucide-react';
import { ConversationLink } from '#app/components/conversations/conversation-link.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { inboxPath } from '#app/lib/inbox-path.ts';
import type { ConversationRow } from '#server/conversations/views.ts';

/** The conversations of one contact; each opens in the inbox, in the list it belongs to. */
export function ContactConversations({ rows }: { rows: ConversationRow[] }) {
  return (
    <Card className="overflow-hidden">
      <section aria-labelledby="contact-conversations">
        <h2 id="contact-conversations" className="border-b px-4 py-3">
          Conversations
        </h2>
        {rows.length === 0 ? (
          <EmptyState icon={MessageSquare} title="No conversations yet">
            <p>When this contact writes, or a workflow writes to them, the conversation appears here.</p>
          </EmptyState>
        ) : (
          <ul className="-mb-px">
            {rows.map((row) => (
              <li key={row.id}>
                <ConversationLink row={row} href={inboxPath({ status: row.status, selected: row.id })} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </Card>
  );
}
