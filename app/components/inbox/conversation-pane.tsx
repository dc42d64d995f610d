import { memo } from 'react';
import { Composer } from '#app/components/inbox/composer.tsx';
import { ContactDetails } from '#app/components/inbox/contact-details.tsx';
import { ConversationHeader } from '#app/components/inbox/conversation-header.tsx';
import { ConversationNotice } from '#app/components/inbox/conversation-notice.tsx';
import { DetailsPane } from '#app/components/inbox/details-pane.tsx';
import { MarkSeen } from '#app/components/notifications/mark-seen.tsx';
import { Thread } from '#app/components/thread/thread.tsx';
import type { OpenedView } from '#server/screens/inbox/views.ts';

type Props = { opened: OpenedView; platformName: string };

/** One conversation: its head, what was said, and the details. What the list shows does not draw it again. */
export const ConversationPane = memo(function ConversationPane({ opened, platformName }: Props) {
  const { conversation, actions, composer, agent } = opened;
  return (
    <article
      aria-labelledby="conversation-title"
      data-opened={conversation.id}
      className="flex min-w-0 grow flex-col"
    >
      <ConversationHeader conversation={conversation} actions={actions} />
      <ConversationNotice conversation={conversation} />
      <div className="flex min-h-0 grow">
        <div className="flex min-w-0 grow flex-col">
          <Thread
            conversationId={conversation.id}
            newest={conversation}
            contactName={conversation.contactName}
            platformName={platformName}
            mayResend={actions.problem === null && conversation.mergedInto === null}
          />
          <Composer view={composer} platformName={platformName} />
        </div>
        <DetailsPane>
          <ContactDetails conversation={conversation} actions={actions} agent={agent} />
        </DetailsPane>
      </div>
      <MarkSeen conversationId={conversation.id} newest={conversation.items.at(-1)?.id} />
    </article>
  );
});
