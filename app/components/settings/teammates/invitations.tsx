import { MailPlus } from 'lucide-react';
import { InvitationButtons, InviteForm } from '#app/components/settings/teammates/invitation-controls.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { RelativeTime, TimeSince } from '#app/components/ui/relative-time.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { getScreens } from '#app/data/session.ts';
import { roleName } from '#app/lib/role-name.ts';
import type { InvitationRow, TeammatesView } from '#server/screens/settings/people-views.ts';

type Props = { roles: TeammatesView['invitableRoles'] };

/** Invitation form and the list of open invitations. */
export async function Invitations({ roles }: Props) {
  const invitations = await (await getScreens()).invitations.list();
  return (
    <section aria-labelledby="invitations" className="grid gap-3">
      <h2 id="invitations" tabIndex={-1} className="text-base">
        Invitations
      </h2>
      <Card className="divide-y">
        <InviteForm roles={roles} />
        {invitations.length === 0 ? (
          <EmptyState icon={MailPlus} title="No open invitations">
            <p>People you invite receive an email with a link. They are listed here until they join.</p>
          </EmptyState>
        ) : (
          <ul aria-label="Open invitations" className="divide-y">
            {invitations.map((invitation) => (
              <InvitationItem key={invitation.id} invitation={invitation} />
            ))}
          </ul>
        )}
      </Card>
      <FocusWhenLost on={invitations.length} goTo="invitations" />
    </section>
  );
}

function InvitationItem({ invitation }: { invitation: InvitationRow }) {
  const { id, email, role, onlyAssigned, invitedBy, mayChange } = invitation;
  const titleId = `invitation-${id}`;
  return (
    <li
      aria-labelledby={titleId}
      className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-5 py-3.5 max-md:px-4"
    >
      <div className="grid min-w-0 grow basis-72 gap-0.5">
        <p className="flex min-w-0 items-center gap-2">
          <span id={titleId} className="truncate font-semibold">
            {email}
          </span>
          <Badge>{roleName(role)}</Badge>
          {onlyAssigned ? <Badge>Only assigned</Badge> : null}
        </p>
        <p className="text-list">
          <InvitationState invitation={invitation} />
        </p>
        {invitedBy ? <p className="text-ink-faint text-xs">Invited by {invitedBy}</p> : null}
      </div>
      {mayChange ? (
        <InvitationButtons id={id} email={email} describedBy={titleId} />
      ) : (
        <p className="text-ink-soft text-list">Only owners can change this invitation.</p>
      )}
    </li>
  );
}

function InvitationState({ invitation }: { invitation: InvitationRow }) {
  const { isOver, mailedAt, isDelayed, expiresAt } = invitation;
  if (isOver) {
    return (
      <StatusDot tone="bad" wrap>
        <span>Expired. Send it again or withdraw it.</span>
      </StatusDot>
    );
  }
  if (isDelayed) {
    return (
      <StatusDot tone="bad" wrap>
        <span>Not sent yet. Check the address, then send it again or withdraw it.</span>
      </StatusDot>
    );
  }
  if (!mailedAt) {
    return (
      <StatusDot tone="waiting" wrap>
        Sending email
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
