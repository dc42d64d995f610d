import { MessageSquare } from 'lucide-react';
import { ThreadEntry } from '#app/components/inbox/thread-entry.tsx';
import { ThreadMessage } from '#app/components/inbox/thread-message.tsx';
import { ThreadNote } from '#app/components/inbox/thread-note.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { ScrollPane } from '#app/components/ui/scroll-pane.tsx';
import type { ThreadItem } from '#server/conversations/views.ts';

type Props = { items: ThreadItem[]; contactName: string | null };

/** What was said and what happened, oldest first, opened at its newest end. */
export function Thread({ items, contactName }: Props) {
  return (
    // Laid out in reverse so that the browser starts at the bottom without a script.
    <ScrollPane aria-label="Messages" className="flex min-w-0 grow flex-col-reverse">
      <div className="mx-auto mb-auto w-full max-w-3xl px-5 py-5 max-md:px-4">
        {items.length === 0 ? (
          <EmptyState icon={MessageSquare} title="No messages yet">
            <p>What the contact and your team write appears here.</p>
          </EmptyState>
        ) : (
          <ol className="grid gap-4">
            {items.map((item) => (
              <li key={item.id} className="min-w-0">
                {item.kind === 'message' ? (
                  <ThreadMessage item={item} contactName={contactName} />
                ) : item.kind === 'note' ? (
                  <ThreadNote item={item} />
                ) : (
                  <ThreadEntry item={item} />
                )}
              </li>
            ))}
          </ol>
        )}
      </div>
    </ScrollPane>
  );
}
