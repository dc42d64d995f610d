import { MailPlus } from 'lucide-react';
import { InviteForm } from '#app/components/settings/teammates/invitation-controls.tsx';
import { InvitationItem } from '#app/components/settings/teammates/invitation-item.tsx';
import { RefreshUntilMailed } from '#app/components/settings/teammates/refresh-until-mailed.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { FocusWhenLost } from '#app/components/ui/focus-when-lost.tsx';
import { getScreens } from '#app/data/get-screens.ts';
import type { TeammatesView } from '#server/screens/settings/views.ts';

type Props = { roles: TeammatesView['invitableRoles']; workspaceName: string };

/** Inviting, and who is invited and has not come yet. */
export async function Invitations({ roles, workspaceName }: Props) {
  const invitations = await (await getScreens()).invitations.list();
  const unmailed = invitations.filter(({ mailedAt, isOver }) => !mailedAt && !isOver).length;
  return (
    <section aria-labelledby="invitations" className="grid gap-3">
      <h2 id="invitations" tabIndex={-1} className="text-base">
        Invitations
      </h2>
      <Card className="divide-y">
        <InviteForm roles={roles} workspaceName={workspaceName} />
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
      {unmailed > 0 ? <RefreshUntilMailed /> : null}
    </section>
  );
}
