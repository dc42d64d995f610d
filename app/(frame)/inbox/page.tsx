import { MessageSquareText } from 'lucide-react';
import type { Metadata } from 'next';
import { Suspense } from 'react';
import { ConversationPane } from '#app/components/inbox/conversation/conversation-pane.tsx';
import { ConversationSkeleton } from '#app/components/inbox/conversation/conversation-skeleton.tsx';
import { DetailsMemory } from '#app/components/inbox/details/details-pane.tsx';
import { ConversationList } from '#app/components/inbox/list/conversation-list.tsx';
import { FilterBar } from '#app/components/inbox/list/filter-bar.tsx';
import { ListSkeleton } from '#app/components/inbox/list/list-skeleton.tsx';
import { NewConversation } from '#app/components/inbox/new-conversation/new-conversation.tsx';
import { OtherWorkspace } from '#app/components/shell/workspaces/other-workspace.tsx';
import { EmptyState } from '#app/components/ui/layout/empty-state.tsx';
import { requireWorkspace } from '#app/data/require-workspace.ts';
import { requireWorkspaceOf } from '#app/data/require-workspace-of.ts';
import { cx } from '#app/lib/cx.ts';
import type { Query } from '#app/lib/paths/first-param.ts';
import { inboxPath, readInboxView } from '#app/lib/paths/inbox-path.ts';

export const metadata: Metadata = { title: 'Inbox' };

export default async function InboxPage({ searchParams }: { searchParams: Query }) {
  const view = readInboxView(await searchParams);
  const { workspace } = await requireWorkspace(inboxPath(view));
  const { selected } = view;
  const owner = selected ? await requireWorkspaceOf({ kind: 'conversation', id: selected }) : workspace;
  const list = inboxPath({ ...view, selected: undefined });
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
          <Suspense fallback={null}>
            <NewConversation />
          </Suspense>
        </div>
        <FilterBar key={workspace.id} view={view} />
        <Suspense key={`${workspace.id} ${list}`} fallback={<ListSkeleton />}>
          <ConversationList view={view} />
        </Suspense>
      </section>
      <DetailsMemory>
        {owner.id !== workspace.id ? (
          <OtherWorkspace
            what="conversation"
            workspace={owner}
            open={workspace}
            path={inboxPath(view)}
            backHref={list}
          />
        ) : selected ? (
          <Suspense key={selected} fallback={<ConversationSkeleton />}>
            <ConversationPane id={selected} backHref={list} />
          </Suspense>
        ) : (
          <div className="grow self-center max-lg:hidden">
            <EmptyState icon={MessageSquareText} title="No conversation selected">
              <p>Choose one from the list to read and answer it.</p>
            </EmptyState>
          </div>
        )}
      </DetailsMemory>
    </div>
  );
}
