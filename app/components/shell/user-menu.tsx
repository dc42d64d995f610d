'use client';

import { useSignOut } from '#app/components/shell/use-sign-out.ts';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { DropdownMenu, DropdownMenuContent, DropdownMenuTrigger } from '#app/components/ui/dropdown-menu.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import type { Theme } from '#app/lib/themes.ts';

const rareParts = lazyParts(() => import('#app/components/shell/rare-parts.ts'));
const UserMenuItems = rareParts('UserMenuItems');

type Props = { user: { name: string; email: string }; theme: Theme };

export function UserMenu({ user, theme }: Props) {
  // Here, because an error after the menu is closed must reach the page.
  const signOut = useSignOut();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger className="focus-inset flex h-12 w-full min-w-0 items-center gap-2 rounded-lg px-1.5 text-left hover:bg-hover">
        <Avatar name={user.name} />
        <span className="grid min-w-0 text-list">
          <span className="truncate font-medium">
            <span className="sr-only">Account: </span>
            {user.name}
          </span>
          <span className="truncate text-ink-soft text-xs">{user.email}</span>
        </span>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" side="top">
        <UserMenuItems theme={theme} signOut={signOut} />
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
