'use client';

import { Menu } from 'lucide-react';
import { useState } from 'react';
import type { NavGroup } from '#app/components/docs/nav-groups.ts';
import { SectionNav } from '#app/components/docs/section-nav.tsx';
import { IconButton } from '#app/components/ui/icon-button.tsx';
import { Sheet } from '#app/components/ui/sheet.tsx';

/** The contents on a screen too narrow to have them beside the text. */
export function DocsMenu({ groups }: { groups: NavGroup[] }) {
  const [open, onOpenChange] = useState(false);
  return (
    <Sheet
      control={{ open, onOpenChange }}
      trigger={<IconButton icon={Menu} label="Contents" className="lg:hidden" />}
      side="left"
      title="Contents"
      hiddenFrom="lg"
      className="w-80"
      // The section one goes to gets the focus, not the button that opened the menu.
      onCloseAutoFocus={(event) => event.preventDefault()}
    >
      <SectionNav groups={groups} onGo={() => onOpenChange(false)} />
    </Sheet>
  );
}
