import { Bot, Check, CircleAlert, Clock3, type LucideIcon, Pause, Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import { MailBadges } from '#app/components/thread/mail-badges.tsx';
import { MailContent } from '#app/components/thread/mail-content.tsx';
import { MessageRecipients, SendAgain } from '#app/components/thread/message-controls.tsx';
import { ThreadAttachments } from '#app/components/thread/thread-attachments.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { cx } from '#app/lib/cx.ts';
import type { SendingView, ThreadItem } from '#server/screens/inbox/views.ts';

type Props = {
  item: Extract<ThreadItem, { kind: 'message' }>;
  contactName: string | null;
  platformName: string;
  /** The conversation in which what did not leave may be sent again; null for those who only read. */
  mayResendIn: string | null;
};

/** A message: the contact's at the left, the team's at the right on a tint; with its files, and how far it got. */
export function ThreadMessage({ item, contactName, platformName, mayResendIn }: Props) {
  const showText = (content: string) =>
    content.trim() === '' ? null : (
      <div
        dir="auto"
        className={cx(
          'w-fit max-w-full whitespace-pre-wrap rounded-lg px-3 py-2 [overflow-wrap:anywhere]',
          item.fromContact ? 'bg-hover' : 'bg-accent-soft',
        )}
      >
        {content}
      </div>
    );
  const author = item.authorName ?? (item.fromContact ? contactName : null) ?? 'Unknown';
  return (
    <div className={cx('flex gap-2.5', !item.fromContact && 'flex-row-reverse')}>
      {item.isAutomatic ? (
        <span className="inline-flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent-ink">
          <Bot aria-hidden size={18} strokeWidth={1.75} />
        </span>
      ) : (
        <Avatar name={author} tone={item.fromContact ? 'neutral' : 'accent'} />
      )}
      <div className={cx('grid min-w-0 max-w-[85%] gap-1', !item.fromContact && 'justify-items-end')}>
        <p
          className={cx(
            'flex flex-wrap items-baseline gap-x-2 text-list',
            !item.fromContact && 'justify-end',
          )}
        >
          <span className="min-w-0 font-semibold [overflow-wrap:anywhere]">{author}</span>
          {item.mail ? <MailBadges mail={item.mail} /> : null}
          {item.viaPlatform ? <ViaPlatform platformName={platformName} /> : null}
          <RelativeTime at={item.createdAt} className="text-ink-faint text-xs" />
        </p>
        {item.recipients ? (
          <MessageRecipients recipients={item.recipients} atEnd={!item.fromContact} />
        ) : null}
        {item.mail ? (
          <MailContent messageId={item.id} mail={item.mail} content={item.content} show={showText} />
        ) : (
          showText(item.content)
        )}
        <ThreadAttachments
          attachments={item.attachments}
          filesElsewhere={item.filesElsewhere}
          atEnd={!item.fromContact}
        />
        {item.sending ? (
          <SendingState sending={item.sending}>
            {item.sending.canSendAgain && mayResendIn !== null ? (
              <SendAgain conversationId={mayResendIn} messageId={item.id} />
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
  held: Pause,
  failed: CircleAlert,
};

type SendingStateProps = {
  sending: SendingView;
  /** What can be done about it. */
  children?: ReactNode;
};

/** How far a message of the team got; what did not arrive is said plainly. */
function SendingState({ sending: { state, sentence }, children }: SendingStateProps) {
  const Icon = icons[state];
  const isProblem = state === 'failed' || state === 'held';
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

/** Says that a workflow wrote this in a teammate's name. */
export function ViaPlatform({ platformName }: { platformName: string }) {
  return (
    <span className="whitespace-nowrap text-ink-soft text-xs">
      <Workflow aria-hidden size={12} className="mr-1 inline-block align-[-1px]" />
      via {platformName}
    </span>
  );
}
