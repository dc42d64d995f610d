'use client';

import { Menu, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { CloseMenuContext } from '#app/components/shell/close-menu.ts';
import { IconButton } from '#app/components/ui/icon-button.tsx';

type Props = { switcher: ReactNode; bell: ReactNode; navigation: ReactNode; userMenu: ReactNode };

/** The frame of a phone: the open workspace, the bell, and a sheet with everything the sidebar has. */
export function TopBar({ switcher, bell, navigation, userMenu }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <header className="flex h-14 items-center gap-1 border-b bg-canvas px-2 md:hidden">
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Trigger asChild>
          <IconButton icon={Menu} label="Menu" />
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-30 animate-fade bg-shade md:hidden" />
          <Dialog.Content
            aria-describedby={undefined}
            className="fixed inset-y-0 left-0 z-40 flex w-72 max-w-[85vw] animate-slide flex-col border-r bg-canvas md:hidden"
          >
            <div className="flex h-14 items-center justify-between border-b pr-1 pl-4">
              <Dialog.Title className="font-semibold">Menu</Dialog.Title>
              <Dialog.Close asChild>
                <IconButton icon={X} label="Close menu" />
              </Dialog.Close>
            </div>
            <CloseMenuContext value={() => setOpen(false)}>
              <div className="scroll-pane grow">{navigation}</div>
            </CloseMenuContext>
            <div className="border-t p-2">{userMenu}</div>
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      <div className="min-w-0 grow">{switcher}</div>
      {bell}
    </header>
  );
}
