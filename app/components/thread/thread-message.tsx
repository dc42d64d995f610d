import { Bot } from 'lucide-react';
import { MailContent } from '#app/components/thread/mail-content.tsx';
import { MailMarks } from '#app/components/thread/mail-marks.tsx';
import { MessageRecipients } from '#app/components/thread/message-controls.tsx';
import { SendAgain } from '#app/components/thread/send-again.tsx';
import { SendingState } from '#app/components/thread/sending-state.tsx';
import { ThreadAttachments } from '#app/components/thread/thread-attachments.tsx';
import { ViaPlatform } from '#app/components/thread/via-platform.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { cx } from '#app/lib/cx.ts';
import type { ThreadItem } from '#server/screens/inbox/views.ts';

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
          {item.mail ? <MailMarks mail={item.mail} /> : null}
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
