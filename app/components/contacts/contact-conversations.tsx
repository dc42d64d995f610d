'use client';

import { MessageSquare } from 'lucide-react';
import { LoadMore } from '#app/components/contacts/load-more.tsx';
import { ConversationLink } from '#app/components/conversations/conversation-link.tsx';
import { RowIcons } from '#app/components/conversations/row-icons.tsx';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { type ServedPages, useServedPages } from '#app/components/live/served-pages.ts';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { inboxPath } from '#app/lib/inbox-path.ts';
import { joinRows } from '#app/lib/join-rows.ts';
import type { Page } from '#server/screens/contacts/views.ts';
import type { InboxRow } from '#server/screens/inbox/views.ts';

type Props = { contactId: string; served: ServedPages<Page<InboxRow>> };

/** Lists a contact's conversations with infinite loading. Each opens in the inbox. */
export function ContactConversations({ contactId, served }: Props) {
  const screens = useScreens();
  const { pages, query } = useServedPages(served, {
    queryKey: ['contacts', 'conversations', { id: contactId }],
    load: (cursor, signal) => screens.contacts.conversations.query({ id: contactId, cursor }, { signal }),
  });
  const rows = joinRows(pages.map((page) => page.rows));
  return (
    <Card className="overflow-hidden">
      <section aria-labelledby="contact-conversations">
        <h2 id="contact-conversations" className="border-b px-4 py-3">
          Conversations
        </h2>
        {rows.length === 0 ? (
          <EmptyState icon={MessageSquare} title="No conversations yet">
            <p>Conversations with this contact appear here.</p>
          </EmptyState>
        ) : (
          <>
            <RowIcons />
            <ul>
              {rows.map((row) => (
                <li key={row.id}>
                  <ConversationLink row={row} href={inboxPath({ status: row.status, selected: row.id })} />
                </li>
              ))}
            </ul>
            <LoadMore id="conversations-end" one="conversation" shown={rows.length} query={query} />
          </>
        )}
      </section>
    </Card>
  );
}
