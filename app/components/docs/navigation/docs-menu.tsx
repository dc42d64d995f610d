'use client';

import { Menu, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import type { NavGroup } from '#app/components/docs/navigation/nav-groups.ts';
import { SectionNav } from '#app/components/docs/navigation/section-nav.tsx';
import { IconButton } from '#app/components/ui/icon-button.tsx';

/** The contents on a screen too narrow to have them beside the text. */
export function DocsMenu({ groups }: { groups: NavGroup[] }) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger asChild>
        <IconButton icon={Menu} label="Contents" className="lg:hidden" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 animate-fade bg-shade lg:hidden" />
        <Dialog.Content
          aria-describedby={undefined}
          // Where one goes is what gets the focus, not the button that opened the menu.
          onCloseAutoFocus={(event) => event.preventDefault()}
          className="fixed inset-y-0 left-0 z-40 flex w-80 max-w-[85vw] animate-slide flex-col border-r bg-canvas lg:hidden"
        >
          <div className="flex h-14 shrink-0 items-center justify-between border-b pr-1 pl-4">
            <Dialog.Title className="font-semibold">Contents</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton icon={X} label="Close contents" />
            </Dialog.Close>
          </div>
          <div className="scroll-pane grow">
            <SectionNav groups={groups} onGo={() => setOpen(false)} />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
