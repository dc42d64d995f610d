import { ChevronRight } from 'lucide-react';
import { ManagersNote } from '#app/components/settings/managed-list.tsx';
import { AwayBadge, AwayButton } from '#app/components/settings/teammates/away-controls.tsx';
import { Invitations } from '#app/components/settings/teammates/invitations.tsx';
import { LeaveButton, RemoveButton } from '#app/components/settings/teammates/removal-dialog.tsx';
import { ResetSecondFactor } from '#app/components/settings/teammates/reset-second-factor.tsx';
import { RoleSelect } from '#app/components/settings/teammates/role-select.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { getScreens } from '#app/data/session.ts';
import { pluralize } from '#app/lib/format-count.ts';
import { roleName } from '#app/lib/role-name.ts';
import { pageContext } from '#server/screens/page-context.ts';
import type { TeammateRow } from '#server/screens/settings/people-views.ts';

type Props = { workspaceName: string; role: string; isTest: boolean };

/** Lists teammates. Owners and admins can edit roles and invite people. */
export async function TeammatesOverview({ workspaceName, role, isTest }: Props) {
  const { mayManage, invitableRoles, teammates } = await (await getScreens()).teammates.list();
  const { platformName } = pageContext();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      {isTest ? (
        <p className="text-ink-soft">
          A test workspace has the teammates and roles of its workspace. Change them there.
        </p>
      ) : null}
      {mayManage || isTest ? null : (
        <ManagersNote
          workspaceName={workspaceName}
          role={role}
          what="invite and remove teammates and change roles"
          more="You can leave any time."
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
      {mayManage ? <Invitations roles={invitableRoles} /> : null}
    </div>
  );
}

type TeammateItemProps = {
  teammate: TeammateRow;
  mayManage: boolean;
  workspaceName: string;
  platformName: string;
};

/** A teammate with role controls, or the reason why the role is fixed. */
function TeammateItem({ teammate, mayManage, workspaceName, platformName }: TeammateItemProps) {
  const { id, name, email, role, roles, isYou, mayRemove, connections } = teammate;
  const nameId = `teammate-${id}`;
  const isFixed = roles.length === 0 && !mayRemove;
  // Only teammates who could otherwise change the role see the reason.
  const why = teammate.problem ?? (isFixed && mayManage ? 'Only owners can change an owner’s role.' : null);
  return (
    <li aria-labelledby={nameId} className="grid gap-2 px-5 py-3.5 max-md:px-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5">
        <div className="flex min-w-0 grow basis-72 items-center gap-3">
          <Avatar name={name} />
          <div className="grid min-w-0">
            <p className="flex min-w-0 items-center gap-2">
              <span id={nameId} className="truncate font-semibold">
                {name}
              </span>
              {isYou ? <Badge>You</Badge> : null}
              <AwayBadge away={teammate.away} />
              {teammate.hasSecondFactor ? <Badge>Two-factor</Badge> : null}
            </p>
            <p className="truncate text-ink-soft text-list">{email}</p>
            <p className="text-ink-faint text-xs">
              Joined <RelativeTime at={teammate.joinedAt} />
              {connections > 0 ? ` · ${pluralize(connections, 'connection')} to ${platformName}` : null}
            </p>
          </div>
        </div>
        <div className="flex items-center gap-2 max-sm:w-full max-sm:flex-wrap">
          {teammate.maySetAway ? (
            <span className="max-sm:order-last max-sm:-ml-3.5 max-sm:w-full">
              <AwayButton teammate={teammate} />
            </span>
          ) : null}
          {roles.length > 1 ? (
            <RoleSelect teammate={teammate} />
          ) : (
            <span className="w-32 px-3 text-ink-soft text-list max-sm:grow max-sm:px-0">
              <span className="sr-only">Role: </span>
              {roleName(role)}
            </span>
          )}
          <span className="flex w-24 justify-end">
            {mayRemove && isYou ? (
              <LeaveButton teammate={teammate} workspaceName={workspaceName} platformName={platformName} />
            ) : null}
            {mayRemove && !isYou ? (
              <RemoveButton teammate={teammate} workspaceName={workspaceName} platformName={platformName} />
            ) : null}
          </span>
        </div>
      </div>
      {teammate.mayResetSecondFactor ? <ResetSecondFactor teammate={teammate} /> : null}
      {why && (mayManage || isYou) ? <p className="text-ink-soft text-list sm:pl-11">{why}</p> : null}
    </li>
  );
}

function RoleGuide({ platformName }: { platformName: string }) {
  const roles = [
    ['owner', `Can do everything, including changing the plan, adding owners and deleting the workspace.`],
    [
      'admin',
      `Manages teammates, settings and connections to ${platformName}, and can do everything agents can.`,
    ],
    ['agent', 'Replies to contacts, assigns conversations and runs commands.'],
    ['viewer', 'Reads everything. Can’t write or be assigned conversations.'],
  ] as const;
  return (
    <details className="group text-list">
      <summary className="flex w-fit items-center gap-1.5 rounded-md font-medium text-ink-soft hover:text-ink max-md:h-11">
        <ChevronRight
          aria-hidden
          size={15}
          className="text-ink-faint transition-transform group-open:rotate-90"
        />
        What each role can do
      </summary>
      <dl className="mt-2 grid gap-2 pl-5">
        {roles.map(([role, may]) => (
          <div key={role} className="grid gap-x-4 sm:grid-cols-[5rem_minmax(0,1fr)]">
            <dt className="font-medium">{roleName(role)}</dt>
            <dd className="text-ink-soft">{may}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
