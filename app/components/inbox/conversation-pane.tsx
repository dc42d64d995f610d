import { Lock, Merge } from 'lucide-react';
import { lazy, memo, Suspense } from 'react';
import { ComposerPanel } from '#app/components/composer/composer-panel.tsx';
import { ContactDetails } from '#app/components/inbox/contact-details.tsx';
import { ConversationHeader } from '#app/components/inbox/conversation-header.tsx';
import { DetailsPane } from '#app/components/inbox/details-pane.tsx';
import { InboxLink } from '#app/components/inbox/inbox-link.tsx';
import { MarkRead } from '#app/components/inbox/mark-read.tsx';
import { MarkSeen } from '#app/components/notifications/mark-seen.tsx';
import type { Resend } from '#app/components/thread/resend-control.tsx';
import { Thread } from '#app/components/thread/thread.tsx';
import { inboxPath } from '#app/lib/inbox-path.ts';
import type {
  AfterSolving,
  ComposerView,
  ConversationView,
  OpenedView,
} from '#server/screens/inbox/views.ts';

type Props = { opened: OpenedView; platformName: string };

/** The open conversation. Memoized, so that list updates do not rerender it. */
export const ConversationPane = memo(function ConversationPane({ opened, platformName }: Props) {
  const { conversation, actions, composer, agent } = opened;
  return (
    <article
      aria-labelledby="conversation-title"
      data-opened={conversation.id}
      className="flex min-w-0 grow flex-col"
    >
      <ConversationHeader conversation={conversation} actions={actions} />
      <ConversationNotice conversation={conversation} mayRestore={actions.problem === null} />
      <div className="flex min-h-0 grow">
        <div className="flex min-w-0 grow flex-col">
          <Thread
            conversationId={conversation.id}
            newest={conversation}
            contactId={conversation.contact?.id}
            contactName={conversation.contactName}
            platformName={platformName}
            resend={resendOf(opened)}
            canForward={composer.readOnly === null && conversation.mergedInto === null}
          />
          <Composer view={composer} afterSolving={actions.afterSolving} platformName={platformName} />
        </div>
        <DetailsPane>
          <ContactDetails conversation={conversation} actions={actions} agent={agent} />
        </DetailsPane>
      </div>
      <MarkRead conversation={conversation} />
      <MarkSeen conversationId={conversation.id} newest={conversation.items.at(-1)?.id} />
    </article>
  );
});

/** Returns which failed messages can be sent again now. `template`: only WhatsApp templates reach the contact. */
function resendOf({ conversation, actions, composer }: OpenedView): Resend {
  if (actions.problem !== null || conversation.mergedInto || conversation.removal) return 'none';
  if (composer.replyWarning === null) return 'all';
  return composer.canSendTemplates ? 'template' : 'none';
}

// Loaded for spam and deleted conversations only.
const RemovalNotice = lazy(() => import('#app/components/inbox/removal-notice.tsx'));

const noticeClass = 'flex items-start gap-2 border-b bg-canvas px-5 py-2 text-ink-soft text-list max-md:px-4';

type NoticeProps = { conversation: ConversationView; mayRestore: boolean };

/** Explains that a merged, spam or deleted conversation is read-only and that a closed one is final. */
function ConversationNotice({ conversation, mayRestore }: NoticeProps) {
  const { mergedInto, removal, status } = conversation;
  if (removal) {
    return (
      <Suspense fallback={null}>
        <RemovalNotice id={conversation.id} kind={removal.kind} mayRestore={mayRestore} />
      </Suspense>
    );
  }
  if (mergedInto) {
    return (
      <p className={noticeClass}>
        <Merge aria-hidden size={15} className="mt-px shrink-0" />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          This conversation was merged into{' '}
          <InboxLink
            href={inboxPath({ status: 'all', selected: mergedInto.id })}
            className="font-medium text-accent-ink hover:underline"
          >
            <bdi>{mergedInto.title}</bdi>
          </InboxLink>
          . It can no longer be changed. New messages from the contact go to that conversation.
        </span>
      </p>
    );
  }
  if (status !== 'closed') return null;
  return (
    <p className={noticeClass}>
      <Lock aria-hidden size={15} className="mt-px shrink-0" />
      <span>This conversation is closed. When the contact writes again, a new one starts.</span>
    </p>
  );
}

type ComposerProps = { view: ComposerView; afterSolving: AfterSolving; platformName: string };

function Composer({ view, afterSolving, platformName }: ComposerProps) {
  return (
    <section aria-label="Composer" className="shrink-0 px-5 pt-2 pb-4 max-md:px-2 max-md:pb-2">
      <div className="mx-auto max-w-3xl">
        <ComposerPanel
          key={view.conversationId}
          view={view}
          afterSolving={afterSolving}
          platformName={platformName}
        />
      </div>
    </section>
  );
}
