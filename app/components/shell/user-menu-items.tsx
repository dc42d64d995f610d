'use client';

import {
  Bell,
  CalendarOff,
  CircleUserRound,
  Keyboard,
  LogOut,
  Monitor,
  Moon,
  Search,
  Sun,
} from 'lucide-react';
import Link from 'next/link';
import { useState, useTransition } from 'react';
import { applyTheme } from '#app/components/shell/apply-theme.ts';
import { showOverlay } from '#app/components/shell/shortcuts-switch.ts';
import type { useSignOut } from '#app/components/shell/use-sign-out.ts';
import {
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
} from '#app/components/ui/dropdown-menu.tsx';
import { useCloseMenu } from '#app/components/view/nav-link.tsx';
import { parseTheme, type Theme, themeNames, themes } from '#app/lib/themes.ts';

type Props = { theme: Theme; signOut: ReturnType<typeof useSignOut> };

/** Content of the user menu. */
export function UserMenuItems({ theme, signOut }: Props) {
  const closeMenu = useCloseMenu();
  return (
    <>
      <DropdownMenuItem asChild>
        <Link href="/settings/account" onNavigate={closeMenu}>
          <CircleUserRound aria-hidden size={16} className="text-ink-soft" />
          Account
        </Link>
      </DropdownMenuItem>
      <DropdownMenuItem asChild>
        <Link href="/settings/teammates" onNavigate={closeMenu}>
          <CalendarOff aria-hidden size={16} className="text-ink-soft" />
          Set yourself away
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
      <DropdownMenuItem disabled={signOut.pending} onSelect={signOut.run}>
        <LogOut aria-hidden size={16} className="text-ink-soft" />
        Sign out
      </DropdownMenuItem>
    </>
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
