'use client';

import { FoldedValues } from '#app/components/settings/channels/copied-values.tsx';
import { sendTestMail } from '#app/components/settings/email/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { RelativeTime, TimeSince } from '#app/components/ui/relative-time.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import type { MailboxView } from '#server/screens/settings/channel-views.ts';

/** Shows when a mailbox last received an email, and the result of its test email. */
export function MailboxReceiving({ mailbox }: { mailbox: MailboxView }) {
  const { lastReceivedAt, testSentAt, testReceivedAt, forwardTo } = mailbox;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1 text-list">
      <p>
        <StatusDot tone={lastReceivedAt ? 'good' : 'quiet'} wrap>
          {lastReceivedAt ? (
            <span>
              Last email <RelativeTime at={lastReceivedAt} />
            </span>
          ) : (
            <span>No email received yet</span>
          )}
        </StatusDot>
      </p>
      <p role="status" className="empty:hidden">
        {testReceivedAt ? (
          <StatusDot tone="good" wrap>
            <span>
              Test email received at <TimeSince at={testReceivedAt} />. It stays out of the inbox.
            </span>
          </StatusDot>
        ) : testSentAt && !(lastReceivedAt && lastReceivedAt > testSentAt) ? (
          <StatusDot tone="waiting" wrap>
            <span>
              Test email sent at <TimeSince at={testSentAt} />, not received yet. It will be shown here, not
              in the inbox.
            </span>
          </StatusDot>
        ) : null}
      </p>
      {forwardTo === null ? null : (
        <FoldedValues
          title="Forwarding address"
          open={lastReceivedAt === null}
          values={[{ label: 'Forward to', value: forwardTo }]}
        />
      )}
    </div>
  );
}

export function TestMailButton({ mailboxId, address }: { mailboxId: string; address: string }) {
  const { pending, start } = useAction(sendTestMail, {
    failed: 'Could not send the test email',
    done: () => ({
      title: `Test email sent to ${address}`,
      description: 'When it arrives, it is shown here, not in the inbox.',
    }),
  });
  return (
    <Button aria-label={`Send test email to ${address}`} aria-busy={pending} onClick={() => start(mailboxId)}>
      {pending ? 'Sending' : 'Send test email'}
    </Button>
  );
}
