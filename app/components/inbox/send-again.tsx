'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { toast } from 'sonner';
import { notReached } from '#app/components/inbox/composer/not-reached.ts';
import { resendMessage } from '#app/components/inbox/resend-message.ts';
import { refreshSoon } from '#app/components/live/refresh-soon.ts';

/** Sends a message once more that did not leave. What becomes of it stands under the message. */
export function SendAgain({ conversationId, messageId }: { conversationId: string; messageId: string }) {
  const router = useRouter();
  const [pending, start] = useTransition();
  const resend = () =>
    start(async () => {
      const problem = await resendMessage({ conversationId, messageId }).catch(() => notReached().problem);
      if (problem !== null) toast.error('The message was not sent again', { description: problem });
      refreshSoon(router);
    });
  return (
    <button
      type="button"
      aria-disabled={pending}
      onClick={() => pending || resend()}
      className="inline-flex items-center rounded-md font-medium text-accent-ink underline underline-offset-2 max-md:flex max-md:h-11 md:ml-1.5"
    >
      {pending ? 'Sending again' : 'Send again'}
    </button>
  );
}
