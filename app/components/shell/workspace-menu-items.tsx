'use client';

import { usePathname } from 'next/navigation';
import type { TransitionStartFunction } from 'react';
import { change } from '#app/components/live/page-data.ts';
import { sameScreen } from '#app/components/shell/same-screen.ts';
import { Avatar } from '#app/components/ui/avatar.tsx';
import {
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
} from '#app/components/ui/dropdown-menu.tsx';
import { toast } from '#app/components/ui/toast.ts';

/** Switches this session to another workspace. */
const switchWorkspace = change(({ session }, workspaceId: string) =>
  session.switchWorkspace.mutate({ workspaceId }),
);

/** `about`: its plan and the teammate's role. */
type WorkspaceChoice = { id: string; name: string; about: string };

/** A workspace that needs another way of signing in, and a sentence about it. `signOnPath`: leads to its identity provider. */
type LockedWorkspace = { name: string; signOnPath: string | null; about: string };

export type Workspaces = {
  open: Pick<WorkspaceChoice, 'id' | 'name'>;
  all: WorkspaceChoice[];
  locked: LockedWorkspace[];
};

/** Content of the workspace menu. `start`: runs the switch, which outlives the menu. */
export function WorkspaceMenuItems({
  open,
  all,
  locked,
  start,
}: Workspaces & { start: TransitionStartFunction }) {
  const pathname = usePathname();
  const choose = (workspaceId: string) => {
    if (workspaceId === open.id) return;
    start(() => openWorkspace(workspaceId, pathname));
  };
  return (
    <>
      <DropdownMenuLabel>Workspaces</DropdownMenuLabel>
      <DropdownMenuRadioGroup value={open.id} onValueChange={choose}>
        {all.map((workspace) => (
          <DropdownMenuRadioItem key={workspace.id} value={workspace.id} textValue={workspace.name}>
            <Avatar name={workspace.name} square />
            <span className="grid min-w-0">
              <span className="truncate font-medium">{workspace.name}</span>{' '}
              <span className="text-ink-soft text-xs">{workspace.about}</span>
            </span>
          </DropdownMenuRadioItem>
        ))}
      </DropdownMenuRadioGroup>
      {locked.map(({ name, signOnPath, about }) => (
        <DropdownMenuItem
          key={`${name} ${signOnPath}`}
          disabled={signOnPath === null}
          onSelect={() => signOnPath && window.location.assign(signOnPath)}
        >
          <Avatar name={name} square />
          <span className="grid min-w-0">
            <span className="truncate font-medium">{name}</span>{' '}
            <span className="text-ink-soft text-xs">{about}</span>
          </span>
        </DropdownMenuItem>
      ))}
    </>
  );
}

/** Switches to another workspace and opens the page there that corresponds to `pathname`. */
export async function openWorkspace(workspaceId: string, pathname: string): Promise<void> {
  const outcome = await switchWorkspace(workspaceId);
  if (!outcome.done) toast.error(outcome.problem);
  // A full page load clears the other workspace's data from screen and memory.
  else window.location.assign(sameScreen(pathname));
}
