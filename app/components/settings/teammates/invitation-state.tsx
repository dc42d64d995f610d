import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { TimeSince } from '#app/components/ui/time-since.tsx';
import type { InvitationRow } from '#server/screens/settings/views.ts';

/** Whether the mail has left and the link still works. */
export function InvitationState({ invitation }: { invitation: InvitationRow }) {
  const { isOver, mailedAt, expiresAt } = invitation;
  if (isOver) {
    return (
      <StatusDot tone="bad" wrap>
        <span>Expired; send it again or withdraw it</span>
      </StatusDot>
    );
  }
  if (!mailedAt) {
    return (
      <StatusDot tone="waiting" wrap>
        Email on its way
      </StatusDot>
    );
  }
  return (
    <StatusDot tone="good" wrap>
      <span>
        Sent <RelativeTime at={mailedAt} />, valid until <TimeSince at={expiresAt} />
      </span>
    </StatusDot>
  );
}
