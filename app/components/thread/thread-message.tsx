import { Bot, Check, CircleAlert, CircleHelp, Clock3, type LucideIcon, Pause, Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import { ExplainButton } from '#app/components/thread/explain-button.tsx';
import { ForwardButton } from '#app/components/thread/forward-button.tsx';
import { MailBadges } from '#app/components/thread/mail-badges.tsx';
import { MailContent } from '#app/components/thread/mail-content.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import { LinkedText } from '#app/components/ui/linked-text.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { cx } from '#app/lib/cx.ts';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';
import type { SendingView, ThreadItem } from '#server/screens/inbox/thread-views.ts';

const rareParts = lazyParts(() => import('#app/components/thread/rare-parts.ts'));
const ForwardedTo = rareParts('ForwardedTo');
const ThreadAttachments = rareParts('ThreadAttachments');
const MergedMark = rareParts('MergedMark');
const ResendControl = rareParts('ResendControl');
const MessageContext = rareParts('MessageContext');
const MessageReactions = rareParts('MessageReactions');
const MessageRecipients = rareParts('MessageRecipients');

// For the few messages that were merged, failed, have files, reactions or several recipients, are forwards, or about something else.

type Props = {
  item: Extract<ThreadItem, { kind: 'message' }>;
  contactId: string | undefined;
  contactName: string | null;
  conversationId: string;
  resend: ComposerView['resend'];
  canForward: boolean;
};

/** A message with files and send status. The contact's messages are on the left, the team's on the right. */
export function ThreadMessage(props: Props) {
  const { item, contactId, contactName, conversationId, resend, canForward } = props;
  const showText = (content: string, formatted: typeof item.formatted = null) =>
    content.trim() === '' ? null : (
      <div
        dir="auto"
        className={cx(
          'w-fit max-w-full whitespace-pre-wrap rounded-lg px-3 py-2 [overflow-wrap:anywhere]',
          item.fromContact ? 'bg-hover' : item.forward ? 'border bg-surface' : 'bg-accent-soft',
        )}
      >
        <LinkedText text={content} formatted={formatted} pictures={item.pictures} />
      </div>
    );
  const isContact = item.fromContact && item.authorName === null;
  const { mergedFrom } = item;
  const contact = mergedFrom
    ? { id: mergedFrom.contactId ?? undefined, name: mergedFrom.contactName }
    : { id: contactId, name: contactName };
  const author = item.authorName ?? (item.fromContact ? contact.name : null) ?? 'Unknown';
  return (
    <div className={cx('flex gap-2.5', !item.fromContact && 'flex-row-reverse')}>
      {item.isAutomatic ? (
        <span className="inline-flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent-ink">
          <Bot aria-hidden size={18} strokeWidth={1.75} />
        </span>
      ) : (
        <Avatar
          name={author}
          tone={isContact ? 'neutral' : undefined}
          contactId={isContact ? contact.id : undefined}
        />
      )}
      <div className={cx('message-body', !item.fromContact && 'justify-items-end')}>
        <p
          className={cx(
            'flex flex-wrap items-baseline gap-x-2 text-list',
            !item.fromContact && 'justify-end',
          )}
        >
          <span className="min-w-0 font-semibold [overflow-wrap:anywhere]">{author}</span>
          {item.authorAddress && item.authorAddress !== author ? (
            <span className="min-w-0 text-ink-soft text-xs [overflow-wrap:anywhere]">
              {item.authorAddress}
            </span>
          ) : null}
          {mergedFrom ? <MergedMark mergedFrom={mergedFrom} contactId={contactId} /> : null}
          {item.mail ? <MailBadges mail={item.mail} author={author} /> : null}
          {item.via ? <Via name={item.via} /> : null}
          <RelativeTime at={item.createdAt} className="text-ink-faint text-xs" />
          {canForward && !item.forward ? (
            <ForwardButton conversationId={conversationId} messageId={item.id} author={author} />
          ) : null}
          <ExplainButton messageId={item.id} author={author} />
        </p>
        {item.forward ? <ForwardedTo forward={item.forward} /> : null}
        {item.recipients ? (
          <MessageRecipients recipients={item.recipients} atEnd={!item.fromContact} />
        ) : null}
        {item.context || item.mail?.invitation ? (
          <MessageContext
            context={item.context}
            invitation={item.mail?.invitation}
            atEnd={!item.fromContact}
          />
        ) : null}
        {item.mail ? (
          <MailContent messageId={item.id} mail={item.mail} content={item.content} show={showText} />
        ) : (
          showText(item.content, item.formatted)
        )}
        {item.attachments.length > 0 || item.filesElsewhere > 0 ? (
          <ThreadAttachments
            attachments={item.attachments}
            filesElsewhere={item.filesElsewhere}
            atEnd={!item.fromContact}
          />
        ) : null}
        {item.reactions.length > 0 ? (
          <MessageReactions reactions={item.reactions} atEnd={!item.fromContact} />
        ) : null}
        {item.sending ? (
          <SendingState sending={item.sending}>
            {item.sending.canSendAgain || item.sending.canDismiss ? (
              <ResendControl
                sending={item.sending}
                conversationId={conversationId}
                messageId={item.id}
                mayDismiss={canForward}
                resend={item.forward ? resend.forward : resend.reply}
              />
            ) : null}
          </SendingState>
        ) : null}
      </div>
    </div>
  );
}

const icons: Record<SendingView['state'], LucideIcon> = {
  on_its_way: Clock3,
  sent: Check,
  doubtful: CircleHelp,
  held: Pause,
  failed: CircleAlert,
};

type SendingStateProps = {
  sending: SendingView;
  /** Actions, such as resending. */
  children?: ReactNode;
};

/** Send status of a message, highlighted on failure. */
function SendingState({ sending: { state, sentence, isDismissed }, children }: SendingStateProps) {
  const Icon = icons[state];
  const isProblem = (state === 'failed' || state === 'held') && !isDismissed;
  return (
    <p
      className={cx(
        'flex gap-1.5',
        isProblem ? 'items-start text-danger-ink text-list' : 'items-center text-ink-faint text-xs',
      )}
    >
      <Icon aria-hidden size={isProblem ? 15 : 12} className={cx('shrink-0', isProblem && 'mt-0.5')} />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {sentence}
        {children}
      </span>
    </p>
  );
}

/** Marks a message that a workflow or a program wrote. */
export function Via({ name }: { name: string }) {
  return (
    <span className="min-w-0 text-ink-soft text-xs [overflow-wrap:anywhere]">
      <Workflow aria-hidden size={12} className="mr-1 inline-block align-[-1px]" />
      via {name}
    </span>
  );
}
