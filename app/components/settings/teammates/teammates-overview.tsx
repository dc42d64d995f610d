import { ManagersNote } from '#app/components/settings/managers-note.tsx';
import { Invitations } from '#app/components/settings/teammates/invitations.tsx';
import { RoleGuide } from '#app/components/settings/teammates/role-guide.tsx';
import { TeammateItem } from '#app/components/settings/teammates/teammate-item.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { FocusWhenLost } from '#app/components/ui/focus-when-lost.tsx';
import { getScreens } from '#app/data/get-screens.ts';
import { pluralize } from '#app/lib/pluralize.ts';
import { pageContext } from '#server/screens/page-context.ts';

type Props = { workspaceName: string; role: string };

/** Everyone in the workspace; for owners and admins with what they may change, and who is invited. */
export async function TeammatesOverview({ workspaceName, role }: Props) {
  const { mayManage, invitableRoles, teammates } = await (await getScreens()).teammates.list();
  const { platformName } = pageContext();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      {mayManage ? null : (
        <ManagersNote
          workspaceName={workspaceName}
          role={role}
          what="invite and remove teammates and change roles"
          more="You can leave at any time."
        />
      )}
      <section aria-labelledby="teammates" className="grid gap-3">
        <h2 id="teammates" tabIndex={-1} className="text-base">
          {pluralize(teammates.length, 'teammate')}
        </h2>
        <Card>
          <ul className="divide-y" aria-labelledby="teammates">
            {teammates.map((teammate) => (
              <TeammateItem
                key={teammate.id}
                teammate={teammate}
                mayManage={mayManage}
                workspaceName={workspaceName}
                platformName={platformName}
              />
            ))}
          </ul>
        </Card>
        <FocusWhenLost on={teammates.length} goTo="teammates" />
        <RoleGuide platformName={platformName} />
      </section>
      {mayManage ? <Invitations roles={invitableRoles} workspaceName={workspaceName} /> : null}
    </div>
  );
}
