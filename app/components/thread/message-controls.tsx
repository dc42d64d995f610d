'use client';

import { useState } from 'react';
import { resendMessage } from '#app/components/inbox/actions.ts';
import { refetchTopic } from '#app/components/live/refetch-topic.ts';
import { pressTarget } from '#app/components/shell/press-target.ts';
import { toastOutcome, usePendingTransition } from '#app/components/ui/use-action.ts';
import { cx } from '#app/lib/cx.ts';
import type { RecipientsView, SendingView } from '#server/screens/inbox/views.ts';

/** Addresses shown per kind before "and n more". */
const SHOWN_MAX = 3;

const KINDS = [
  { kind: 'to', label: 'To' },
  { kind: 'cc', label: 'Cc' },
  { kind: 'bcc', label: 'Bcc' },
] as const;

/** Recipients of an email, one line per kind. */
export function MessageRecipients({ recipients, atEnd }: { recipients: RecipientsView; atEnd: boolean }) {
  const [isExpanded, setIsExpanded] = useState(false);
  const lines = KINDS.filter(({ kind }) => recipients[kind].length > 0);
  if (lines.length === 0) return null;
  return (
    <div className={cx('grid min-w-0 max-w-full text-ink-soft text-xs', atEnd && 'justify-items-end')}>
      {lines.map(({ kind, label }) => (
        <p key={kind} className={cx('max-w-full [overflow-wrap:anywhere]', atEnd && 'text-right')}>
          {label}{' '}
          {(isExpanded ? recipients[kind] : recipients[kind].slice(0, SHOWN_MAX)).map((address, at) => (
            <span key={address}>
              {at > 0 ? ', ' : ''}
              <bdi>{address}</bdi>
            </span>
          ))}
          {kind === 'bcc' ? ' (hidden from other recipients)' : ''}
          {recipients[kind].length > SHOWN_MAX ? (
            <>
              {' '}
              <button
                type="button"
                aria-expanded={isExpanded}
                onClick={() => setIsExpanded(!isExpanded)}
                className="rounded-sm font-medium underline-offset-2 hover:text-ink hover:underline"
              >
                {isExpanded ? 'Show fewer' : `and ${recipients[kind].length - SHOWN_MAX} more`}
              </button>
            </>
          ) : null}
        </p>
      ))}
    </div>
  );
}

/** Which failed messages can be sent again now. `template`: only WhatsApp templates reach the contact. */
export type Resend = 'all' | 'template' | 'none';

type ResendControlProps = {
  sending: SendingView;
  conversationId: string;
  messageId: string;
  resend: Resend;
};

/** Sends a failed message again if it can succeed. Outside WhatsApp's 24-hour window, offers a template instead. */
export function ResendControl({ sending, conversationId, messageId, resend }: ResendControlProps) {
  if (!sending.canSendAgain || resend === 'none') return null;
  if (resend === 'all' || sending.isTemplate)
    return <SendAgain conversationId={conversationId} messageId={messageId} />;
  return (
    <button type="button" onClick={() => pressTarget({ target: 'template' })} className={actionClass}>
      Send a template
    </button>
  );
}

const actionClass =
  'inline-flex items-center rounded-md font-medium text-accent-ink underline underline-offset-2 max-md:flex max-md:h-11 md:ml-1.5';

/** Resends a failed message. The result appears under the message. */
function SendAgain({ conversationId, messageId }: { conversationId: string; messageId: string }) {
  const [pending, start] = usePendingTransition();
  const resend = () =>
    start(async () => {
      await toastOutcome(resendMessage({ conversationId, messageId }), {
        failed: 'Could not send the message again',
      });
      void refetchTopic('conversations');
    });
  return (
    <button type="button" aria-disabled={pending} onClick={resend} className={actionClass}>
      {pending ? 'Sending again' : 'Send again'}
    </button>
  );
}
