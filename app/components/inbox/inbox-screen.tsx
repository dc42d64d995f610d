'use client';

import { MessageSquareText } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { ConversationList } from '#app/components/inbox/conversation-list.tsx';
import { DetailsMemory } from '#app/components/inbox/details-pane.tsx';
import { FilterBar } from '#app/components/inbox/filter-bar.tsx';
import type { ServedInbox } from '#app/components/inbox/inbox-queries.ts';
import { OpenedConversation } from '#app/components/inbox/opened-conversation.tsx';
import { useInboxView } from '#app/components/inbox/use-inbox-view.ts';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { cx } from '#app/lib/cx.ts';

type Props = {
  served: ServedInbox;
  platformName: string;
  newConversation: ReactNode;
  /** A conversation that the address names and that is in another workspace, and what is shown of it. */
  elsewhere: { id: string; pane: ReactNode } | null;
};

/** The list and the open conversation, both as the address says. */
export function InboxScreen({ served, platformName, newConversation, elsewhere }: Props) {
  const view = useInboxView();
  const { selected } = view;
  return (
    <div className="flex h-full min-h-0">
      {/* Said to all, shown by the list pane, which a narrow screen hides behind an open conversation. */}
      <h1 className="sr-only">Inbox</h1>
      <section
        aria-label="Conversations"
        className={cx(
          'flex min-h-0 shrink-0 flex-col lg:w-84 lg:border-r max-lg:w-full',
          selected && 'max-lg:hidden',
        )}
      >
        <div className="flex h-12 shrink-0 items-center justify-between pr-2 pl-4">
          <p aria-hidden className="font-semibold text-base">
            Inbox
          </p>
          <Suspense fallback={null}>{newConversation}</Suspense>
        </div>
        <FilterBar view={view} choices={served.choices} />
        <ConversationList view={view} served={served} />
      </section>
      <DetailsMemory>
        {selected === undefined ? (
          <div className="grow self-center max-lg:hidden">
            <EmptyState icon={MessageSquareText} title="No conversation selected">
              <p>Choose one from the list to read and answer it.</p>
            </EmptyState>
          </div>
        ) : selected === elsewhere?.id ? (
          elsewhere.pane
        ) : (
          <OpenedConversation key={selected} id={selected} served={served} platformName={platformName} />
        )}
      </DetailsMemory>
    </div>
  );
}
