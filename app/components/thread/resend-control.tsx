'use client';

import { resendMessage } from '#app/components/inbox/actions.ts';
import { refetchTopic } from '#app/components/live/refetch-topic.ts';
import { pressTarget } from '#app/components/shell/press-target.ts';
import { toastOutcome, usePendingTransition } from '#app/components/ui/use-action.ts';
import type { Resend } from '#server/screens/inbox/composer-views.ts';
import type { SendingView } from '#server/screens/inbox/thread-views.ts';

type ResendControlProps = {
  sending: SendingView;
  conversationId: string;
  messageId: string;
  resend: Resend;
};

/** Sends a message again. Outside WhatsApp's 24-hour window, offers a template instead. */
export default function ResendControl({ sending, conversationId, messageId, resend }: ResendControlProps) {
  if (resend === 'none') return null;
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
