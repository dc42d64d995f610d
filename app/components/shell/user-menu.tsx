'use client';

import { CircleUserRound, Keyboard, LogOut } from 'lucide-react';
import Link from 'next/link';
import { useCloseMenu } from '#app/components/shell/close-menu.ts';
import { showShortcuts } from '#app/components/shell/show-shortcuts.ts';
import { ThemeItems } from '#app/components/shell/theme-items.tsx';
import { useSignOut } from '#app/components/shell/use-sign-out.ts';
import { Avatar } from '#app/components/ui/avatar.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '#app/components/ui/dropdown-menu.tsx';
import type { Theme } from '#app/lib/themes.ts';

type Props = { user: { name: string; email: string }; theme: Theme };

/** Who is signed in; their account, colour scheme and signing out. */
export function UserMenu({ user, theme }: Props) {
  const { pending, run } = useSignOut();
  const closeMenu = useCloseMenu();
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
        <DropdownMenuItem asChild>
          <Link href="/settings/account" onNavigate={closeMenu}>
            <CircleUserRound aria-hidden size={16} className="text-ink-soft" />
            Account
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem
          className="max-md:hidden"
          // Once the menu has gone: two things above the page would quarrel about the focus.
          onSelect={() => setTimeout(showShortcuts)}
        >
          <Keyboard aria-hidden size={16} className="text-ink-soft" />
          Keyboard shortcuts
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuLabel>Theme</DropdownMenuLabel>
        <ThemeItems theme={theme} />
        <DropdownMenuSeparator />
        <DropdownMenuItem disabled={pending} onSelect={run}>
          <LogOut aria-hidden size={16} className="text-ink-soft" />
          Sign out
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
