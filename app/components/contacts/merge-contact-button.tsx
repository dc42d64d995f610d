'use client';

import { useState } from 'react';
import { Button } from '#app/components/ui/button.tsx';
import { lazyPart } from '#app/components/ui/lazy-part.tsx';

const MergeContactDialog = lazyPart(() => import('#app/components/contacts/merge-contact-dialog.tsx'));

/** The contact that remains. */
export type MergeTarget = { id: string; label: string; name: string | null };

/** Opens the dialog that merges another contact into this one. */
export function MergeContactButton({
  into,
  label = 'Merge…',
  className,
}: {
  into: MergeTarget;
  label?: string;
  className?: string;
}) {
  /** Null until the dialog is opened for the first time. */
  const [isOpen, setIsOpen] = useState<boolean | null>(null);
  return (
    <>
      <Button aria-haspopup="dialog" className={className} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      {isOpen === null ? null : (
        <MergeContactDialog into={into} control={{ open: isOpen, onOpenChange: setIsOpen }} />
      )}
    </>
  );
}
