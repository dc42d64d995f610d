'use client';

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { readProblem, useScreens } from '#app/components/live/screens-provider.tsx';
import { RemovalEffects } from '#app/components/settings/teammates/removal-effects.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { FieldError } from '#app/components/ui/field-error.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';

type Props = {
  userId: string;
  /** The reader is the one who goes. */
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
  const screens = useScreens();
  const [open, setOpen] = useState(false);
  const [openings, setOpenings] = useState(0);
  const { data: view, error } = useQuery({
    queryKey: ['teammates.removal', { userId, openings }],
    queryFn: ({ signal }) => screens.teammates.removal.query({ userId }, { signal }),
    enabled: open,
  });
  const onOpenChange = (next: boolean) => {
    setOpen(next);
    if (next) setOpenings(openings + 1);
  };
  return (
    <ConfirmDialog {...dialog} trigger={trigger} control={{ open, onOpenChange }} ready={view !== undefined}>
      {view || error ? null : <Counting />}
      {error ? <FieldError>{readProblem(error)}</FieldError> : null}
      {view ? <RemovalEffects view={view} leaves={leaves} platformName={platformName} /> : null}
      {children}
    </ConfirmDialog>
  );
}

function Counting() {
  return (
    <div role="status" className="grid gap-2 py-1">
      <span className="sr-only">Loading what changes</span>
      <Skeleton className="w-full" />
      <Skeleton className="w-2/3" />
    </div>
  );
}
