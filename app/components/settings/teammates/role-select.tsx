'use client';

import { useState } from 'react';
import { setRole } from '#app/components/settings/teammates/actions.ts';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
} from '#app/components/ui/dropdown-menu.tsx';
import { DropdownMenuSelect } from '#app/components/ui/dropdown-menu-select.tsx';
import { type Message, useAction } from '#app/components/ui/use-action.ts';
import { roleName } from '#app/lib/role-name.ts';
import type { TeammateRow } from '#server/screens/settings/people-views.ts';

type Role = TeammateRow['role'];

/**
 * Changes a teammate's role immediately, with Undo in the toast. Asks first before irreversible changes: one's own
 * role, and the viewer role, which unassigns the teammate's conversations.
 */
export function RoleSelect({ teammate }: { teammate: TeammateRow }) {
  const { id, name, role, roles, isYou } = teammate;
  const [pendingRole, setPendingRole] = useState<Role | null>(null);

  const { pending, run, start, chosen } = useAction(setRole, {
    failed: 'Could not change the role',
    done: (_value, _id, to): Message => ({
      title: `${isYou ? 'You are' : `${name} is`} now ${roleWithArticle[to]}`,
      description: consequence(teammate, to),
      undo: isYou ? undefined : () => run(id, role),
    }),
  });
  const [, shown] = chosen ?? [id, role];
  const choose = (chosen: string) => {
    const to = roles.find((each) => each === chosen);
    if (!to || to === shown) return;
    if (isYou || to === 'viewer') return setPendingRole(to);
    start(id, to);
  };
  return (
    <>
      <DropdownMenu>
        <DropdownMenuSelect label={`Role of ${name}`} aria-busy={pending} className="w-32 max-sm:grow">
          {roleName(shown)}
        </DropdownMenuSelect>
        <DropdownMenuContent align="start" className="min-w-32">
          <DropdownMenuRadioGroup value={shown} onValueChange={choose}>
            {roles.map((each) => (
              <DropdownMenuRadioItem key={each} value={each}>
                {roleName(each)}
              </DropdownMenuRadioItem>
            ))}
          </DropdownMenuRadioGroup>
        </DropdownMenuContent>
      </DropdownMenu>
      <ConfirmDialog
        control={{ open: pendingRole !== null, onOpenChange: (open) => open || setPendingRole(null) }}
        title={pendingRole ? `Make ${isYou ? 'yourself' : name} ${roleWithArticle[pendingRole]}?` : ''}
        confirm={isYou ? 'Change my role' : 'Change role'}
        onConfirm={async () => {
          if (pendingRole) await run(id, pendingRole);
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
