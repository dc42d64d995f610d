'use client';

import { type ReactNode, useState } from 'react';
import { RemovalEffects } from '#app/components/teammates/removal-effects.tsx';
import { showRemoval } from '#app/components/teammates/show-removal.ts';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { FieldError } from '#app/components/ui/field-error.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';
import type { RemovalView } from '#server/people/teammates/views.ts';

type Props = {
  userId: string;
  /** Whoever goes is the reader. */
  leaves: boolean;
  platformName: string;
  trigger: ReactNode;
  title: string;
  confirm: string;
  children: ReactNode;
  onConfirm: () => Promise<unknown>;
};

/** Asks before somebody goes, and says what ends with it: this is counted when the dialog opens. */
export function RemovalDialog({ userId, leaves, platformName, trigger, children, ...dialog }: Props) {
  const [open, setOpen] = useState(false);
  const [view, setView] = useState<RemovalView | { problem: string } | null>(null);
  const onOpenChange = (next: boolean) => {
    setOpen(next);
    if (!next) return;
    setView(null);
    showRemoval(userId).then(setView, () => setView({ problem: NOT_COUNTED }));
  };
  return (
    <ConfirmDialog
      {...dialog}
      trigger={trigger}
      control={{ open, onOpenChange }}
      ready={view !== null && !('problem' in view)}
    >
      {view === null ? <Counting /> : null}
      {view && 'problem' in view ? <FieldError>{view.problem}</FieldError> : null}
      {view && !('problem' in view) ? (
        <RemovalEffects view={view} leaves={leaves} platformName={platformName} />
      ) : null}
      {children}
    </ConfirmDialog>
  );
}

const NOT_COUNTED =
  'What ends with it could not be found out just now. Close this and try again in a moment.';

function Counting() {
  return (
    <div role="status" className="grid gap-2 py-1">
      <span className="sr-only">Finding out what would end</span>
      <Skeleton className="w-full" />
      <Skeleton className="w-2/3" />
    </div>
  );
}
