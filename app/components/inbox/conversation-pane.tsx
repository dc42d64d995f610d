import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, memo, useEffect, useEffectEvent } from 'react';
import { ComposerPanel } from '#app/components/composer/composer-panel.tsx';
import { ConversationHeader } from '#app/components/inbox/conversation-header.tsx';
import { DetailsPane } from '#app/components/inbox/details-pane.tsx';
import { markReadOptions } from '#app/components/inbox/read-state.ts';
import { presenceReporter } from '#app/components/live/presence-reporter.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { MarkSeen } from '#app/components/notifications/mark-seen.tsx';
import { Thread } from '#app/components/thread/thread.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import type { ConversationView, OpenedView } from '#server/screens/inbox/views.ts';

const conversationParts = lazyParts(() => import('#app/components/inbox/conversation-parts.ts'));
const ContactDetails = conversationParts('ContactDetails');
const ConversationNotice = conversationParts('ConversationNotice');
const ContactOffer = conversationParts('ContactOffer');
const FormOffer = conversationParts('FormOffer');

type Props = { opened: OpenedView; platformName: string };

/** The open conversation. Memoized, so that list updates do not rerender it. */
export const ConversationPane = memo(function ConversationPane({ opened, platformName }: Props) {
  const { conversation, actions, composer, agent } = opened;
  const canWrite = composer.readOnly === null && conversation.mergedInto === null;
  return (
    <article
      aria-labelledby="conversation-title"
      data-opened={conversation.id}
      className="flex min-w-0 grow flex-col"
    >
      <ConversationHeader conversation={conversation} actions={actions} />
      {conversation.removal || conversation.mergedInto || conversation.status === 'closed' ? (
        <ConversationNotice conversation={conversation} mayRestore={actions.problem === null} />
      ) : null}
      {conversation.formOffer && actions.problem === null ? (
        <FormOffer offer={conversation.formOffer} />
      ) : null}
      {conversation.contactOffer && actions.problem === null ? (
        <ContactOffer conversationId={conversation.id} offer={conversation.contactOffer} />
      ) : null}
      <div className="flex min-h-0 grow">
        <div className="thread-and-composer">
          <Thread
            // A merge also adds messages to earlier pages.
            key={conversation.mergedCount}
            conversationId={conversation.id}
            newest={conversation}
            contactId={conversation.contact?.id}
            contactName={conversation.contactName}
            resend={composer.resend}
            canForward={canWrite}
            noteWriter={canWrite ? composer : null}
          />
          <Composer
            view={composer}
            afterSolving={actions.afterSolving}
            platformName={platformName}
            shown={shownIn(opened)}
          />
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

/** Number of the newest messages and notes that count as seen. The server compares as many. */
const SHOWN_MAX = 20;

/** Returns the ids of the newest messages, notes and pending replies on screen, oldest first. */
function shownIn({ conversation, composer }: OpenedView): string[] {
  const items = conversation.items.filter(({ kind }) => kind !== 'entry').slice(-SHOWN_MAX);
  return [...items, ...composer.pending].map(({ id }) => id);
}

type ComposerProps = ComponentProps<typeof ComposerPanel>;

function Composer({ view, ...props }: ComposerProps) {
  useEffect(() => presenceReporter.open(view.conversationId), [view.conversationId]);
  return (
    <section aria-label="Composer" className="shrink-0 px-5 pt-2 pb-4 max-md:px-2 max-md:pb-2">
      <div className="mx-auto max-w-3xl">
        <ComposerPanel key={view.conversationId} view={view} {...props} />
      </div>
    </section>
  );
}

/** Time for which a conversation must be visible before it counts as read, in ms. */
const SEEN_MS = 1_000;

/** Marks the open conversation as read once it was visible for a second, and again after each new message. */
function MarkRead({ conversation }: { conversation: ConversationView }) {
  const { id, items, unread } = conversation;
  const newest = items.at(-1)?.id;
  const { mutate } = useMutation(markReadOptions({ queries: useQueryClient(), screens: useScreens() }));
  const mark = useEffectEvent(() => mutate(id));
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new message is seen separately
  useEffect(() => {
    if (!unread) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') timer = setTimeout(() => mark(), SEEN_MS);
    };
    watch();
    document.addEventListener('visibilitychange', watch);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', watch);
    };
  }, [id, newest, unread]);
  return null;
}
