'use client';

import { ChevronsUpDown } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useTransition } from 'react';
import { change } from '#app/components/live/page-data.ts';
import { sameScreen } from '#app/components/shell/same-screen.ts';
import { Avatar } from '#app/components/ui/avatar.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from '#app/components/ui/dropdown-menu.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { cx } from '#app/lib/cx.ts';

/** Switches this session to another workspace. */
const switchWorkspace = change(({ session }, workspaceId: string) =>
  session.switchWorkspace.mutate({ workspaceId }),
);

/** `about`: its plan and the teammate's role. */
type WorkspaceChoice = { id: string; name: string; about: string };

/** A workspace that needs another way of signing in, and a sentence about it. `signOnPath`: leads to its identity provider. */
type LockedWorkspace = { name: string; signOnPath: string | null; about: string };

type Props = {
  open: Pick<WorkspaceChoice, 'id' | 'name'>;
  all: WorkspaceChoice[];
  locked: LockedWorkspace[];
};

/** Shows the open workspace and switches to another. */
export function WorkspaceSwitcher({ open, all, locked }: Props) {
  const pathname = usePathname();
  const [pending, start] = useTransition();
  const choose = (workspaceId: string) => {
    if (workspaceId === open.id) return;
    start(() => openWorkspace(workspaceId, pathname));
  };
  return (
    <DropdownMenu>
      <DropdownMenuTrigger
        aria-busy={pending}
        className={cx(
          'focus-inset flex h-10 w-full min-w-0 items-center gap-2 rounded-lg px-1.5 text-left hover:bg-hover',
          'max-md:h-11',
          pending && 'opacity-60',
        )}
      >
        <Avatar name={open.name} square size="medium" />
        <span className="grow truncate font-semibold">
          <span className="sr-only">Workspace: </span>
          {open.name}
        </span>
        <ChevronsUpDown aria-hidden size={16} className="shrink-0 text-ink-faint" />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="min-w-64">
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
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** Switches to another workspace and opens the page there that corresponds to `pathname`. */
export async function openWorkspace(workspaceId: string, pathname: string): Promise<void> {
  const outcome = await switchWorkspace(workspaceId);
  if (!outcome.done) toast.error(outcome.problem);
  // A full page load clears the other workspace's data from screen and memory.
  else window.location.assign(sameScreen(pathname));
}
