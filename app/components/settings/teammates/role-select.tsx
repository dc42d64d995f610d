'use client';

import { useId, useOptimistic, useState } from 'react';
import { setRole } from '#app/components/settings/teammates/actions.ts';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { toastOutcome, useOwnTransition } from '#app/components/ui/use-action.ts';
import { roleName } from '#app/lib/role-name.ts';
import type { TeammateRow } from '#server/screens/settings/views.ts';

type Role = TeammateRow['role'];

/**
 * Gives a teammate another role at once, to be undone from the message about it. It asks before what cannot be taken back:
 * a role of oneself, and making somebody a viewer, who loses their conversations.
 */
export function RoleSelect({ teammate }: { teammate: TeammateRow }) {
  const { id, name, role, roles, isYou } = teammate;
  const labelId = useId();
  const [pending, start] = useOwnTransition();
  const [shown, show] = useOptimistic(role);
  const [asked, ask] = useState<Role | null>(null);

  const change = (to: Role, before: Role): Promise<unknown> =>
    toastOutcome(setRole(id, to), {
      failed: 'Could not change the role',
      done: () => ({
        title: `${isYou ? 'You are' : `${name} is`} now ${inWords[to]}`,
        description: consequence(teammate, to),
        undo: isYou ? undefined : () => change(before, to),
      }),
    });
  const choose = (to: Role) => {
    if (isYou || to === 'viewer') return ask(to);
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
        control={{ open: asked !== null, onOpenChange: (open) => open || ask(null) }}
        title={asked ? `Make ${isYou ? 'yourself' : name} ${inWords[asked]}?` : ''}
        confirm={isYou ? 'Change my role' : 'Change role'}
        onConfirm={async () => {
          if (asked) await change(asked, role);
        }}
      >
        {isYou ? <p>You cannot undo this: someone else would have to restore your role.</p> : null}
        {asked === 'viewer' ? (
          <p>
            Viewers cannot take conversations: {isYou ? 'yours' : `those of ${name}`} become unassigned, and
            stay unassigned if the role changes back.
          </p>
        ) : null}
        <p>{asked ? consequence(teammate, asked) : null}</p>
      </ConfirmDialog>
    </>
  );
}

const inWords: Record<Role, string> = {
  owner: 'an owner',
  admin: 'an admin',
  agent: 'an agent',
  viewer: 'a viewer',
};

/** What a role means for the connections of the teammate who gets it; nothing while they keep working. */
function consequence({ connections, isYou }: TeammateRow, to: Role): string | undefined {
  if (connections === 0 || to === 'owner' || to === 'admin') return undefined;
  const whose = isYou ? 'your' : 'their';
  return connections === 1
    ? `Workflows can no longer use ${whose} connection. It ends soon after.`
    : `Workflows can no longer use ${whose} ${connections} connections. They end soon after.`;
}
