'use client';

import { Menu } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { IconButton } from '#app/components/ui/button.tsx';
import { Sheet } from '#app/components/ui/sheet.tsx';
import { CloseMenuContext } from '#app/components/view/nav-link.tsx';

type Props = { switcher: ReactNode; bell: ReactNode; navigation: ReactNode; userMenu: ReactNode };

/**
 * Top bar on phones: workspace switcher, notifications and a menu with the sidebar's content. Hidden beside an open
 * conversation, which has a link back to the list and needs the space.
 */
export function TopBar({ switcher, bell, navigation, userMenu }: Props) {
  const [open, onOpenChange] = useState(false);
  return (
    <header className="flex h-14 items-center gap-1 border-b bg-canvas px-2 md:hidden [body:has([data-opened],[data-opening])_&]:hidden">
      <CloseMenuContext value={() => onOpenChange(false)}>
        <Sheet
          control={{ open, onOpenChange }}
          trigger={<IconButton icon={Menu} label="Menu" />}
          side="left"
          title="Menu"
          footer={userMenu}
          hiddenFrom="md"
          className="w-72"
        >
          {navigation}
        </Sheet>
      </CloseMenuContext>
      <div className="min-w-0 grow">{switcher}</div>
      {bell}
    </header>
  );
}
