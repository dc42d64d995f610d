import { SearchX } from 'lucide-react';
import Link from 'next/link';
import { Composer } from '#app/components/inbox/composer/composer.tsx';
import { ConversationHeader } from '#app/components/inbox/conversation/conversation-header.tsx';
import { ConversationNotice } from '#app/components/inbox/conversation/conversation-notice.tsx';
import { ContactDetails } from '#app/components/inbox/details/contact-details.tsx';
import { DetailsPane } from '#app/components/inbox/details/details-pane.tsx';
import { Thread } from '#app/components/inbox/thread/thread.tsx';
import { RefreshOn } from '#app/components/live/refresh-on.tsx';
import { MarkSeen } from '#app/components/notifications/mark-seen.tsx';
import { buttonClass } from '#app/components/ui/button-class.ts';
import { EmptyState } from '#app/components/ui/layout/empty-state.tsx';
import { openScreens } from '#app/data/open-screens.ts';
import { pageContext } from '#server/doors/http/page-context.ts';

type Props = { id: string; backHref: string };

/** One conversation: its head, what was said, and the details. */
export async function ConversationPane({ id, backHref }: Props) {
  const screens = await openScreens();
  const [conversation, actions] = await Promise.all([
    screens.conversations.open({ id }),
    screens.conversations.actions(),
  ]);
  if (!conversation) return <NotHere backHref={backHref} />;
  const { items, earlier, contactName } = conversation;
  return (
    <article aria-labelledby="conversation-title" className="flex min-w-0 grow flex-col">
      <ConversationHeader conversation={conversation} actions={actions} backHref={backHref} />
      <ConversationNotice conversation={conversation} />
      <div className="flex min-h-0 grow">
        <div className="flex min-w-0 grow flex-col">
          <Thread
            conversationId={conversation.id}
            newest={{ items, earlier }}
            contactName={contactName}
            platformName={pageContext().platformName}
            mayResend={actions.problem === null && conversation.mergedInto === null}
          />
          <Composer conversationId={conversation.id} />
        </div>
        <DetailsPane>
          <ContactDetails conversation={conversation} actions={actions} />
        </DetailsPane>
      </div>
      <RefreshOn topic="conversations" />
      <RefreshOn topic="commands" />
      <MarkSeen conversationId={conversation.id} newest={items.at(-1)?.id} />
    </article>
  );
}

function NotHere({ backHref }: { backHref: string }) {
  return (
    <div className="grow self-center">
      <EmptyState
        icon={SearchX}
        title="Conversation not found"
        action={
          <Link href={backHref} className={buttonClass('secondary')}>
            Back to list
          </Link>
        }
      >
        <p>It was removed, or you switched to another workspace.</p>
      </EmptyState>
    </div>
  );
}
