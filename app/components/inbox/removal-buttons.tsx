'use client';

import { Ban, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { IconButton } from '#app/components/ui/button.tsx';
import type { AfterSolving } from '#server/screens/inbox/views.ts';

// Loaded when they are opened.
const SpamDialog = lazy(() => import('#app/components/inbox/spam-dialog.tsx'));
const DeletionDialog = lazy(() => import('#app/components/inbox/deletion-dialog.tsx'));

type Props = { id: string; mayDelete: boolean; afterSolving: AfterSolving };

/** Marks the conversation as spam; owners and admins can also delete it. */
export function RemovalButtons({ id, mayDelete, afterSolving }: Props) {
  const [shown, show] = useState<'spam' | 'deletion' | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const open = (dialog: 'spam' | 'deletion') => {
    show(dialog);
    setIsOpen(true);
  };
  const props = { id, afterSolving, control: { open: isOpen, onOpenChange: setIsOpen } };
  return (
    <>
      <IconButton icon={Ban} label="Mark as spam" onClick={() => open('spam')} />
      {mayDelete ? (
        <IconButton icon={Trash2} label="Delete conversation" onClick={() => open('deletion')} />
      ) : null}
      <Suspense fallback={null}>
        {shown === 'spam' ? <SpamDialog {...props} /> : null}
        {shown === 'deletion' ? <DeletionDialog {...props} /> : null}
      </Suspense>
    </>
  );
}
