'use client';

import { X } from 'lucide-react';
import { saveTeam, setMember } from '#app/components/settings/teams/actions.ts';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { IconButton } from '#app/components/ui/button.tsx';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem } from '#app/components/ui/dropdown-menu.tsx';
import { DropdownMenuSelect } from '#app/components/ui/dropdown-menu-select.tsx';
import { NameDialog } from '#app/components/ui/name-dialog.tsx';
import { newOrEditButton } from '#app/components/ui/new-or-edit-button.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { toastOutcome, usePendingTransition } from '#app/components/ui/use-action.ts';
import type { TeamView } from '#server/screens/settings/people-views.ts';

type Person = TeamView['members'][number];
type Props = { team: TeamView; teammates: Person[]; mayManage: boolean };

/** Members of a team. Owners and admins can add and remove members, with Undo in the toast. */
export function TeamMembers({ team: { id, name, members }, teammates, mayManage }: Props) {
  const [pending, start] = usePendingTransition();
  const others = teammates.filter((teammate) => !members.some((member) => member.id === teammate.id));

  const change = (person: Person, isMember: boolean, canBeUndone = true): Promise<unknown> =>
    toastOutcome(setMember(id, person.id, isMember), {
      failed: 'Could not change the members',
      done: () => ({
        title: `${person.name} ${isMember ? 'is in' : 'is no longer in'} ${name}`,
        undo: canBeUndone ? () => change(person, !isMember, false) : undefined,
      }),
    });
  const set = (person: Person, isMember: boolean) => start(() => change(person, isMember));
  return (
    <div className="grid gap-3" aria-busy={pending}>
      {members.length > 0 ? (
        <ul aria-label={`Members of ${name}`} className="flex flex-wrap gap-2">
          {members.map((member) => (
            <li
              key={member.id}
              className="flex h-8 min-w-0 max-w-full items-center gap-2 rounded-lg border bg-canvas px-2 text-list max-md:h-11"
            >
              <Avatar name={member.name} size="small" />
              <span className="min-w-0 truncate">{member.name}</span>
              {mayManage ? (
                <IconButton
                  icon={X}
                  label={`Remove ${member.name} from ${name}`}
                  onClick={() => set(member, false)}
                  className="-mr-1.5 size-6 max-md:size-10"
                />
              ) : null}
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-ink-soft text-list">No members yet</p>
      )}
      {mayManage && others.length > 0 ? (
        <DropdownMenu>
          <DropdownMenuSelect label={`Members of ${name}`} className="w-56 max-md:w-full">
            Add a teammate
          </DropdownMenuSelect>
          <DropdownMenuContent align="start" className="max-w-72">
            {others.map((other) => (
              <DropdownMenuItem key={other.id} onSelect={() => set(other, true)}>
                <bdi className="truncate">{other.name}</bdi>
              </DropdownMenuItem>
            ))}
          </DropdownMenuContent>
        </DropdownMenu>
      ) : null}
    </div>
  );
}

/** Creates a team, or renames the given one. */
export function TeamDialog({ team }: { team?: { id: string; name: string } }) {
  return (
    <NameDialog
      trigger={newOrEditButton({ name: team?.name, verb: 'Rename', create: 'New team' })}
      title={team ? 'Rename team' : 'New team'}
      placeholder="Billing"
      name={team?.name}
      confirm={team ? 'Rename' : 'Create team'}
      save={saveTeam.bind(null, team?.id ?? null)}
      onSaved={() => toast.success(team ? 'Team renamed' : 'Team created')}
    />
  );
}
