'use client';

import { Bell, CircleUserRound, Keyboard, LogOut, Monitor, Moon, Search, Sun } from 'lucide-react';
import Link from 'next/link';
import { useState, useTransition } from 'react';
import { applyTheme } from '#app/components/shell/apply-theme.ts';
import { showOverlay } from '#app/components/shell/shortcuts-switch.ts';
import { useSignOut } from '#app/components/shell/sign-out.tsx';
import { useCloseMenu } from '#app/components/shell/top-bar.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '#app/components/ui/dropdown-menu.tsx';
import { parseTheme, type Theme, themeNames, themes } from '#app/lib/themes.ts';

type Props = { user: { name: string; email: string }; theme: Theme };

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
        <DropdownMenuItem asChild>
          <Link href="/settings/notifications" onNavigate={closeMenu}>
            <Bell aria-hidden size={16} className="text-ink-soft" />
            Notifications
          </Link>
        </DropdownMenuItem>
        {/* Wait until the menu is closed, because two overlays would compete for the focus. */}
        <DropdownMenuItem
          onSelect={() => {
            closeMenu();
            setTimeout(() => showOverlay('menu'));
          }}
        >
          <Search aria-hidden size={16} className="text-ink-soft" />
          Command menu
        </DropdownMenuItem>
        <DropdownMenuItem className="max-md:hidden" onSelect={() => setTimeout(() => showOverlay('help'))}>
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

const icons = { system: Monitor, light: Sun, dark: Moon };

function ThemeItems({ theme }: { theme: Theme }) {
  const [chosen, setChosen] = useState(theme);
  const [, start] = useTransition();
  const choose = (value: string) => {
    const next = parseTheme(value);
    setChosen(next);
    start(() => applyTheme(next));
  };
  return (
    <DropdownMenuRadioGroup value={chosen} onValueChange={choose}>
      {themes.map((name) => {
        const Icon = icons[name];
        return (
          <DropdownMenuRadioItem key={name} value={name} onSelect={(event) => event.preventDefault()}>
            <Icon aria-hidden size={16} className="text-ink-soft" />
            {themeNames[name]}
          </DropdownMenuRadioItem>
        );
      })}
    </DropdownMenuRadioGroup>
  );
}
