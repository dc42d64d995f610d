'use client';

import { useId, useOptimistic, useState } from 'react';
import { setRole } from '#app/components/settings/teammates/actions.ts';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { toastOutcome, usePendingTransition } from '#app/components/ui/use-action.ts';
import { roleName } from '#app/lib/role-name.ts';
import type { TeammateRow } from '#server/screens/settings/views.ts';

type Role = TeammateRow['role'];

/**
 * Changes a teammate's role immediately, with Undo in the toast. Asks first before irreversible changes: one's own
 * role, and the viewer role, which unassigns the teammate's conversations.
 */
export function RoleSelect({ teammate }: { teammate: TeammateRow }) {
  const { id, name, role, roles, isYou } = teammate;
  const labelId = useId();
  const [pending, start] = usePendingTransition();
  const [shown, show] = useOptimistic(role);
  const [pendingRole, setPendingRole] = useState<Role | null>(null);

  const change = (to: Role, before: Role): Promise<unknown> =>
    toastOutcome(setRole(id, to), {
      failed: 'Could not change the role',
      done: () => ({
        title: `${isYou ? 'You are' : `${name} is`} now ${roleWithArticle[to]}`,
        description: consequence(teammate, to),
        undo: isYou ? undefined : () => change(before, to),
      }),
    });
  const choose = (to: Role) => {
    if (isYou || to === 'viewer') return setPendingRole(to);
    start(async () => {
      show(to);
      await change(to, role);
    });
  };
  return (
    <>
      <span id={labelId} className="sr-only">
        Role of {name}
      </span>
      <span className="w-32 max-sm:grow">
        <Select
          aria-labelledby={labelId}
          value={shown}
          disabled={pending}
          aria-busy={pending}
          onChange={({ target }) => {
            const chosen = roles.find((each) => each === target.value);
            if (chosen && chosen !== shown) choose(chosen);
          }}
        >
          {roles.map((each) => (
            <option key={each} value={each}>
              {roleName(each)}
            </option>
          ))}
        </Select>
      </span>
      <ConfirmDialog
        control={{ open: pendingRole !== null, onOpenChange: (open) => open || setPendingRole(null) }}
        title={pendingRole ? `Make ${isYou ? 'yourself' : name} ${roleWithArticle[pendingRole]}?` : ''}
        confirm={isYou ? 'Change my role' : 'Change role'}
        onConfirm={async () => {
          if (pendingRole) await change(pendingRole, role);
        }}
      >
        {isYou ? <p>You can’t undo this yourself. Someone else would have to restore your role.</p> : null}
        {pendingRole === 'viewer' ? (
          <p>
            Viewers can’t be assigned conversations. {isYou ? 'Your' : `${name}’s`} conversations become
            unassigned, and stay unassigned if the role changes back.
          </p>
        ) : null}
        <p>{pendingRole ? consequence(teammate, pendingRole) : null}</p>
      </ConfirmDialog>
    </>
  );
}

const roleWithArticle: Record<Role, string> = {
  owner: 'an owner',
  admin: 'an admin',
  agent: 'an agent',
  viewer: 'a viewer',
};

/** Describes the effect of a role on the teammate's connections, if any. */
function consequence({ connections, isYou }: TeammateRow, to: Role): string | undefined {
  if (connections === 0 || to === 'owner' || to === 'admin') return undefined;
  const whose = isYou ? 'your' : 'their';
  return connections === 1
    ? `Workflows can no longer use ${whose} connection. It will be disconnected soon.`
    : `Workflows can no longer use ${whose} ${connections} connections. They will be disconnected soon.`;
}
