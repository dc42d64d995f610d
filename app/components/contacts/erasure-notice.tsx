'use client';

import { stopErasure } from '#app/components/contacts/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { TimeSince } from '#app/components/ui/relative-time.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { usePendingTransition } from '#app/components/ui/use-action.ts';
import { notReached } from '#app/lib/outcome.ts';
import { type ContactView, contactLabel } from '#server/screens/contacts/views.ts';

/** Says when a contact will be erased, with a button for owners and admins that stops it. */
export function ErasureNotice({ contact }: { contact: ContactView }) {
  const [pending, start] = usePendingTransition();
  const { id, erasure, mayManageData } = contact;
  if (!erasure) return null;
  const stop = () =>
    start(async () => {
      const outcome = await stopErasure(id).catch(notReached);
      if (outcome.done) toast.success(`${contactLabel(contact)} will not be erased`);
      else toast.error(outcome.problem);
    });
  return (
    <div
      role="status"
      className="mb-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg bg-danger-soft px-4 py-3 text-danger-ink"
    >
      <p className="min-w-0">
        This contact and its data will be erased after <TimeSince at={erasure.dueAt} />, as{' '}
        {erasure.requestedByName} requested.
      </p>
      {mayManageData ? (
        <Button onClick={stop} disabled={pending} aria-busy={pending}>
          {pending ? 'Stopping' : 'Stop erasing'}
        </Button>
      ) : null}
    </div>
  );
}
