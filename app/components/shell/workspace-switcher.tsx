'use client';

import { ChevronsUpDown } from 'lucide-react';
import { useTransition } from 'react';
import type { Workspaces } from '#app/components/shell/workspace-menu-items.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { DropdownMenu, DropdownMenuContent, DropdownMenuTrigger } from '#app/components/ui/dropdown-menu.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import { cx } from '#app/lib/cx.ts';

const rareParts = lazyParts(() => import('#app/components/shell/rare-parts.ts'));
const WorkspaceMenuItems = rareParts('WorkspaceMenuItems');

/** Shows the open workspace and switches to another. */
export function WorkspaceSwitcher(workspaces: Workspaces) {
  // Here, because the menu is closed while it switches.
  const [pending, start] = useTransition();
  const { name } = workspaces.open;
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
        <Avatar name={name} square size="medium" />
        <span className="grow truncate font-semibold">
          <span className="sr-only">Workspace: </span>
          {name}
        </span>
        <ChevronsUpDown aria-hidden size={16} className="shrink-0 text-ink-faint" />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="min-w-64">
        <WorkspaceMenuItems {...workspaces} start={start} />
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
