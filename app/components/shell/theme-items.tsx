'use client';

import { Monitor, Moon, Sun } from 'lucide-react';
import { useState, useTransition } from 'react';
import { setTheme } from '#app/components/shell/actions.ts';
import { DropdownMenuRadioGroup, DropdownMenuRadioItem } from '#app/components/ui/dropdown-menu.tsx';
import { readTheme, type Theme, themes } from '#app/lib/themes.ts';

const labels: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };
const icons = { system: Monitor, light: Sun, dark: Moon };

/** System, light or dark: the page changes at once, the cookie follows. */
export function ThemeItems({ theme }: { theme: Theme }) {
  const [chosen, setChosen] = useState(theme);
  const [, start] = useTransition();
  const choose = (value: string) => {
    const next = readTheme(value);
    setChosen(next);
    document.documentElement.dataset.theme = next;
    start(() => setTheme(next));
  };
  return (
    <DropdownMenuRadioGroup value={chosen} onValueChange={choose}>
      {themes.map((name) => {
        const Icon = icons[name];
        return (
          <DropdownMenuRadioItem key={name} value={name} onSelect={(event) => event.preventDefault()}>
            <Icon aria-hidden size={16} className="text-ink-soft" />
            {labels[name]}
          </DropdownMenuRadioItem>
        );
      })}
    </DropdownMenuRadioGroup>
  );
}
