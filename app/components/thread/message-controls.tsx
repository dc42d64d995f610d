'use client';

import { useState } from 'react';
import { resendMessage } from '#app/components/inbox/actions.ts';
import { showAgain } from '#app/components/live/show-again.ts';
import { toastOutcome, useOwnTransition } from '#app/components/ui/use-action.ts';
import { cx } from '#app/lib/cx.ts';
import type { RecipientsView } from '#server/screens/inbox/views.ts';

/** So many addresses of a kind are named at once. */
const SHOWN_MAX = 3;

const KINDS = [
  { kind: 'to', label: 'To' },
  { kind: 'cc', label: 'Cc' },
  { kind: 'bcc', label: 'Bcc' },
] as const;

/** Who else got a mail: a line for each kind, with the rest of many behind a button. */
export function MessageRecipients({ recipients, atEnd }: { recipients: RecipientsView; atEnd: boolean }) {
  const [isWhole, setIsWhole] = useState(false);
  const lines = KINDS.filter(({ kind }) => recipients[kind].length > 0);
  if (lines.length === 0) return null;
  return (
    <div className={cx('grid min-w-0 max-w-full text-ink-soft text-xs', atEnd && 'justify-items-end')}>
      {lines.map(({ kind, label }) => (
        <p key={kind} className={cx('max-w-full [overflow-wrap:anywhere]', atEnd && 'text-right')}>
          {label}{' '}
          {(isWhole ? recipients[kind] : recipients[kind].slice(0, SHOWN_MAX)).map((address, at) => (
            <span key={address}>
              {at > 0 ? ', ' : ''}
              <bdi>{address}</bdi>
            </span>
          ))}
          {kind === 'bcc' ? ' (hidden from the others)' : ''}
          {recipients[kind].length > SHOWN_MAX ? (
            <>
              {' '}
              <button
                type="button"
                aria-expanded={isWhole}
                onClick={() => setIsWhole(!isWhole)}
                className="rounded-sm font-medium underline-offset-2 hover:text-ink hover:underline"
              >
                {isWhole ? 'Show fewer' : `and ${recipients[kind].length - SHOWN_MAX} more`}
              </button>
            </>
          ) : null}
        </p>
      ))}
    </div>
  );
}

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
