'use client';

import { setOnlyAssigned } from '#app/components/settings/visibility/actions.ts';
import { Avatar } from '#app/components/ui/avatar.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
} from '#app/components/ui/dropdown-menu.tsx';
import { DropdownMenuSelect } from '#app/components/ui/dropdown-menu-select.tsx';
import { type Message, useAction } from '#app/components/ui/use-action.ts';
import { roleName } from '#app/lib/role-name.ts';
import type { VisibilityView } from '#server/screens/settings/people-views.ts';

const CHOICES = { all: 'All of their channels', assigned: 'Only assigned' };

/** An agent or viewer, and whether they see only what is assigned. Acts immediately, with Undo in the toast. */
export function TeammateItem({ teammate }: { teammate: VisibilityView['teammates'][number] }) {
  const { id, name, role, onlyAssigned } = teammate;
  const { pending, run, start, chosen } = useAction(setOnlyAssigned, {
    failed: 'Could not change what the teammate sees',
    done: (_value, _id, to): Message => ({
      title: to ? `${name} sees only assigned conversations` : `${name} sees all of their channels`,
      undo: () => run(id, !to),
    }),
  });
  const shown = chosen ? chosen[1] : onlyAssigned;
  const nameId = `teammate-${id}`;
  return (
    <li
      aria-labelledby={nameId}
      aria-busy={pending}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3 max-md:px-4"
    >
      <div className="flex min-w-0 items-center gap-3">
        <Avatar name={name} />
        <div className="grid min-w-0">
          <span id={nameId} className="truncate font-medium">
            {name}
          </span>
          <span className="text-ink-soft text-list">{roleName(role)}</span>
        </div>
      </div>
      <DropdownMenu>
        <DropdownMenuSelect label={`What ${name} sees`} className="w-52 max-sm:w-full">
          {shown ? CHOICES.assigned : CHOICES.all}
        </DropdownMenuSelect>
        <DropdownMenuContent align="end" className="min-w-52">
          <DropdownMenuRadioGroup
            value={shown ? 'assigned' : 'all'}
            onValueChange={(value) => {
              if ((value === 'assigned') !== shown) start(id, value === 'assigned');
            }}
          >
            <DropdownMenuRadioItem value="all">{CHOICES.all}</DropdownMenuRadioItem>
            <DropdownMenuRadioItem value="assigned">{CHOICES.assigned}</DropdownMenuRadioItem>
          </DropdownMenuRadioGroup>
        </DropdownMenuContent>
      </DropdownMenu>
    </li>
  );
}
