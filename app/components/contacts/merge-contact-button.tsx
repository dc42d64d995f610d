'use client';

import { useState } from 'react';
import { MergeContactDialog } from '#app/components/contacts/merge-contact-dialog.tsx';
import { Button } from '#app/components/ui/button.tsx';
import type { ContactRow } from '#server/screens/contacts/views.ts';

/** The contact that remains. */
export type MergeTarget = { id: string; label: string; name: string | null };

/** Opens the dialog that merges another contact into this one. `from` is the contact to suggest. */
export function MergeContactButton({
  into,
  from = null,
  label = 'Merge…',
  className,
  'aria-label': ariaLabel,
}: {
  into: MergeTarget;
  from?: ContactRow | null;
  label?: string;
  'aria-label'?: string;
  className?: string;
}) {
  /** Null until the dialog is opened for the first time. */
  const [isOpen, setIsOpen] = useState<boolean | null>(null);
  return (
    <>
      <Button
        aria-haspopup="dialog"
        aria-label={ariaLabel}
        className={className}
        onClick={() => setIsOpen(true)}
      >
        {label}
      </Button>
      {isOpen === null ? null : (
        <MergeContactDialog
          into={into}
          suggested={from}
          control={{ open: isOpen, onOpenChange: setIsOpen }}
        />
      )}
    </>
  );
}
