'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { RESTORING, type Restorable, restorable, restore } from '#app/components/inbox/restore.ts';
import { Button } from '#app/components/ui/button.tsx';
import { usePendingTransition } from '#app/components/ui/use-action.ts';
import type { Removal } from '#server/screens/inbox/views.ts';

type Props = { id: string; kind: Removal };

/** Returns a spam or deleted conversation to the inbox. */
export function RestoreButton({ id, kind }: Props) {
  const router = useRouter();
  const [pending, start] = usePendingTransition();
  return (
    <Button aria-busy={pending} onClick={() => start(() => restore(id, kind, () => router.refresh()))}>
      {RESTORING[kind].label}
    </Button>
  );
}

/** Offers the conversations of a page in the command menu. */
export function OfferRestoring({ rows }: { rows: Restorable[] }) {
  useEffect(() => {
    restorable.setState({ rows });
    return () => restorable.setState({ rows: [] });
  }, [rows]);
  return null;
}
