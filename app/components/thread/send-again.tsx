'use client';

import { resendMessage } from '#app/components/inbox/actions.ts';
import { showAgain } from '#app/components/live/show-again.ts';
import { toastOutcome } from '#app/components/ui/use-action.ts';
import { useOwnTransition } from '#app/components/ui/use-own-transition.ts';

/** Sends a message again that did not leave. Its result is shown under the message. */
export function SendAgain({ conversationId, messageId }: { conversationId: string; messageId: string }) {
  const [pending, start] = useOwnTransition();
  const resend = () =>
    start(async () => {
      await toastOutcome(resendMessage({ conversationId, messageId }), {
        failed: 'Could not send the message again',
      });
      void showAgain('conversations');
    });
  return (
    <button
      type="button"
      aria-disabled={pending}
      onClick={resend}
      className="inline-flex items-center rounded-md font-medium text-accent-ink underline underline-offset-2 max-md:flex max-md:h-11 md:ml-1.5"
    >
      {pending ? 'Sending again' : 'Send again'}
    </button>
  );
}
