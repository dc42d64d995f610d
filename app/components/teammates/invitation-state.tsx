import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { TimeSince } from '#app/components/ui/time-since.tsx';
import type { InvitationRow } from '#server/members/invitations/views.ts';

/** Whether the mail has left and the link still works. */
export function InvitationState({ invitation }: { invitation: InvitationRow }) {
  const { isOver, mailedAt, expiresAt } = invitation;
  if (isOver) {
    return (
      <StatusDot tone="bad" wrap>
        <span>Has run out, so it can be sent again or withdrawn</span>
      </StatusDot>
    );
  }
  if (!mailedAt) {
    return (
      <StatusDot tone="waiting" wrap>
        The mail is on its way
      </StatusDot>
    );
  }
  return (
    <StatusDot tone="good" wrap>
      <span>
        Mailed <RelativeTime at={mailedAt} />, works until <TimeSince at={expiresAt} />
      </span>
    </StatusDot>
  );
}
