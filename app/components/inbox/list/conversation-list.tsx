import { Suspense } from 'react';
import { ConversationRows } from '#app/components/inbox/list/conversation-rows.tsx';
import { EmptyList } from '#app/components/inbox/list/empty-list.tsx';
import { CountedTabs, StatusTabs } from '#app/components/inbox/list/status-tabs.tsx';
import { countConversations, listConversations } from '#app/data/list-conversations.ts';
import { type InboxView, inboxPath } from '#app/lib/paths/inbox-path.ts';

/**
 * The list: tabs, then the newest conversations of a view, which go on as one scrolls. The rows do not wait for what the
 * tabs count, which may take longer in a search.
 */
export async function ConversationList({ view }: { view: InboxView }) {
  const counts = countConversations(view);
  // Awaited where it is shown; a fault in the meantime shows there.
  counts.catch(() => {});
  const page = await listConversations(view);
  return (
    <>
      <div className="border-b px-2.5 pb-2">
        <Suspense fallback={<StatusTabs view={view} counts={null} />}>
          <CountedTabs view={view} counts={counts} />
        </Suspense>
      </div>
      <ConversationRows
        key={inboxPath({ ...view, selected: undefined })}
        first={page}
        view={view}
        nothing={
          <Suspense fallback={null}>
            <EmptyList view={view} counts={counts} />
          </Suspense>
        }
      />
    </>
  );
}
