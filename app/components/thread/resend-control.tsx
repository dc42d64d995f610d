'use client';

import { refetchTopic } from '#app/components/live/page-data.ts';
import { dismissFailure, resendMessage } from '#app/components/thread/actions.ts';
import { pressTarget } from '#app/components/ui/press-target.ts';
import { toastOutcome, usePendingTransition } from '#app/components/ui/use-action.ts';
import type { Resend } from '#server/screens/inbox/composer-views.ts';
import type { SendingView } from '#server/screens/inbox/thread-views.ts';

type ResendControlProps = {
  sending: SendingView;
  conversationId: string;
  messageId: string;
  resend: Resend;
};

/** Sends a failed message again, or dismisses its failure. Viewers see neither. */
export function ResendControl(props: ResendControlProps & { mayDismiss: boolean }) {
  const { sending, mayDismiss } = props;
  return (
    <>
      {sending.canSendAgain ? <Resending {...props} /> : null}
      {sending.canDismiss && mayDismiss ? <Dismiss {...props} /> : null}
    </>
  );
}

/** Sends a message again. Outside WhatsApp's 24-hour window, offers a template instead. */
function Resending({ sending, conversationId, messageId, resend }: ResendControlProps) {
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

/** Takes the message out of the view Not sent, with Undo. */
function Dismiss({ conversationId, messageId }: ResendControlProps) {
  const [pending, start] = usePendingTransition();
  const save = async (isDismissed: boolean) => {
    await toastOutcome(dismissFailure({ conversationId, messageId, isDismissed }), {
      failed: isDismissed ? 'Could not dismiss the message' : 'Could not undo',
      done: () => (isDismissed ? { title: 'Dismissed', undo: () => void save(false) } : 'Undone'),
    });
    await refetchTopic('conversations');
  };
  return (
    <button
      type="button"
      aria-disabled={pending}
      onClick={() => start(() => save(true))}
      className={actionClass}
    >
      Dismiss
    </button>
  );
}
