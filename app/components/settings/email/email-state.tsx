import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import type { EmailSettingsView } from '#server/screens/settings/channel-views.ts';

/** Shows in two lines whether the workspace receives and sends email. */
export function EmailState({ view: { mailboxes, lastReceivedAt } }: { view: EmailSettingsView }) {
  const sending = mailboxes.find(({ isDefault }) => isDefault);
  const canSend = sending !== undefined && sending.problem === null;
  return (
    <div className="grid gap-1.5 px-5 py-4 text-list">
      <p>
        <StatusDot tone={lastReceivedAt ? 'good' : 'waiting'} wrap>
          {lastReceivedAt ? (
            <span>
              Receiving, last email <RelativeTime at={lastReceivedAt} />
            </span>
          ) : (
            <span>No email received yet</span>
          )}
        </StatusDot>
      </p>
      <p>
        <StatusDot tone={canSend ? 'good' : 'waiting'} wrap>
          <span className="[overflow-wrap:anywhere]">
            {canSend
              ? `Sending, new conversations from ${sending.address}`
              : 'Not sending: replies by email are saved here, but not sent'}
          </span>
        </StatusDot>
      </p>
    </div>
  );
}
