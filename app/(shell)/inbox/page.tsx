import type { Metadata } from 'next';
import { InboxScreen } from '#app/components/inbox/inbox-screen.tsx';
import { NewConversation } from '#app/components/inbox/new-conversation.tsx';
import { OtherWorkspace } from '#app/components/shell/other-workspace.tsx';
import { isIn } from '#app/components/shell/pages.ts';
import { serveInbox } from '#app/data/serve-inbox.ts';
import { requireWorkspace, requireWorkspaceOf } from '#app/data/session.ts';
import type { Query } from '#app/lib/first-param.ts';
import { inboxPath, parseInboxView } from '#app/lib/inbox-path.ts';

export const metadata: Metadata = { title: 'Inbox' };

/** Renders the first view of the inbox. Later views are fetched in the browser. */
export default async function InboxPage({ searchParams }: { searchParams: Query }) {
  const view = parseInboxView(await searchParams);
  const { workspace, platformName } = await requireWorkspace(inboxPath(view));
  const { selected } = view;
  const served = await serveInbox(view);
  const owner = selected ? await requireWorkspaceOf({ kind: 'conversation', id: selected }) : workspace;
  const isElsewhere = selected !== undefined && owner.id !== workspace.id;
  return (
    <InboxScreen
      // Drop client state, such as a half-typed search, when the workspace changes.
      key={workspace.id}
      served={served}
      platformName={platformName}
      newConversation={<NewConversation />}
      canSelect={isIn('writers', workspace.role)}
      mayShare={isIn('admins', workspace.role)}
      setup={
        workspace.inSetup && isIn('writers', workspace.role)
          ? { workspaceName: workspace.name, mayDismiss: isIn('admins', workspace.role) }
          : null
      }
      elsewhere={
        isElsewhere
          ? {
              id: selected,
              pane: (
                <OtherWorkspace
                  what="conversation"
                  workspace={owner}
                  open={workspace}
                  path={inboxPath(view)}
                  backHref={inboxPath({ ...view, selected: undefined })}
                />
              ),
            }
          : null
      }
    />
  );
}
