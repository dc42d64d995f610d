import { ConversationRows } from '#app/components/inbox/conversation-rows.tsx';
import { NothingListed } from '#app/components/inbox/nothing-listed.tsx';
import { StatusTabs } from '#app/components/inbox/status-tabs.tsx';
import { countConversations, listConversations } from '#app/data/list-conversations.ts';
import { type InboxView, inboxPath } from '#app/lib/inbox-path.ts';

/** The list: tabs, then the newest conversations of a view, which go on as one scrolls. */
export async function ConversationList({ view, workspaceId }: { view: InboxView; workspaceId: string }) {
  const [page, counts] = await Promise.all([listConversations(view), countConversations(view)]);
  return (
    <>
      <div className="border-b px-2.5 pb-2">
        <StatusTabs view={view} counts={counts} />
      </div>
      <ConversationRows
        key={inboxPath({ ...view, selected: undefined })}
        first={page}
        view={view}
        workspaceId={workspaceId}
        nothing={<NothingListed view={view} counts={counts} />}
      />
    </>
  );
}
