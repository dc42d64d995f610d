import { LeaveButton } from '#app/components/settings/teammates/leave-button.tsx';
import { RemoveButton } from '#app/components/settings/teammates/remove-button.tsx';
import { RoleSelect } from '#app/components/settings/teammates/role-select.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { pluralize } from '#app/lib/pluralize.ts';
import { roleName } from '#app/lib/role-name.ts';
import type { TeammateRow } from '#server/screens/settings/views.ts';

type Props = { teammate: TeammateRow; mayManage: boolean; workspaceName: string; platformName: string };

/** One teammate: who they are, their role, and what the reader may change about it, or why nothing. */
export function TeammateItem({ teammate, mayManage, workspaceName, platformName }: Props) {
  const { id, name, email, role, roles, isYou, mayRemove, connections } = teammate;
  const nameId = `teammate-${id}`;
  const isFixed = roles.length === 0 && !mayRemove;
  // Why nothing can be changed concerns only those who could otherwise change it.
  const why = teammate.problem ?? (isFixed ? 'Only owners can change an owner’s role.' : null);
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
            </p>
            <p className="truncate text-ink-soft text-list">{email}</p>
            <p className="text-ink-faint text-xs">
              Joined <RelativeTime at={teammate.joinedAt} />
              {connections > 0 ? ` · ${pluralize(connections, 'connection')} to ${platformName}` : null}
            </p>
          </div>
        </div>
        <div className="flex items-center gap-2 max-sm:w-full">
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
      {why && (mayManage || isYou) ? <p className="text-ink-soft text-list sm:pl-11">{why}</p> : null}
    </li>
  );
}
