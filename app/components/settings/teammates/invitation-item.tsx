import { InvitationButtons } from '#app/components/settings/teammates/invitation-buttons.tsx';
import { InvitationState } from '#app/components/settings/teammates/invitation-state.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { roleName } from '#app/lib/role-name.ts';
import type { InvitationRow } from '#server/screens/settings/views.ts';

/** An invitation that is not accepted yet. */
export function InvitationItem({ invitation }: { invitation: InvitationRow }) {
  const { id, email, role, invitedBy, mayChange } = invitation;
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
        </p>
        <p className="text-list">
          <InvitationState invitation={invitation} />
        </p>
        {invitedBy ? <p className="text-ink-faint text-xs">Invited by {invitedBy}</p> : null}
      </div>
      {mayChange ? (
        <InvitationButtons id={id} email={email} describedBy={titleId} />
      ) : (
        <p className="text-ink-soft text-list">Only owners can change this one.</p>
      )}
    </li>
  );
}
