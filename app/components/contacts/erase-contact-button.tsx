'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { eraseContact } from '#app/components/contacts/actions.ts';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { TypedName } from '#app/components/ui/typed-name.tsx';
import { formatCount } from '#app/lib/format-count.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { ErasureCount, ErasurePreview } from '#server/screens/contacts/views.ts';

/** Schedules the erasure of a contact after the user typed its name. Lists what will be erased. */
export function EraseContactButton({ id, name }: { id: string; name: string }) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const run = async () => {
    const outcome = await eraseContact(id, typed).catch(notReached);
    setProblem(outcome.done ? null : outcome.problem);
    if (!outcome.done) return false;
    toast.success(`${name} will be erased in 24 hours`);
    return true;
  };
  return (
    <ConfirmDialog
      trigger={
        <Button variant="danger-outline" className="w-fit">
          Erase contact…
        </Button>
      }
      control={{
        open,
        onOpenChange: (next) => {
          setOpen(next);
          setTyped('');
          setProblem(null);
        },
      }}
      title={`Erase ${name}?`}
      confirm="Erase in 24 hours"
      onConfirm={run}
    >
      <p>Everything about this contact is erased in 24 hours. Until then you can stop it on this page.</p>
      <Preview id={id} />
      <p>
        What other people wrote in the same conversations stays. An email that this person sends later creates
        a new contact.
      </p>
      <TypedName name={name} typed={typed} onType={setTyped} problem={problem} />
    </ConfirmDialog>
  );
}

function Preview({ id }: { id: string }) {
  const screens = useScreens();
  const { data, error } = useQuery({
    queryKey: ['contacts.erasurePreview', { id }],
    queryFn: ({ signal }) => screens.contacts.erasurePreview.query({ id }, { signal }),
    staleTime: 0,
  });
  if (error) return <FieldError>{queryErrorMessage(error)}</FieldError>;
  if (!data) {
    return (
      <div role="status" className="grid gap-2">
        <span className="sr-only">Counting what will be erased</span>
        <Skeleton className="w-2/3" />
        <Skeleton className="w-1/2" />
      </div>
    );
  }
  return (
    <dl
      aria-label="What will be erased"
      className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 rounded-lg border bg-canvas p-3 text-list"
    >
      {ROWS.map(([kind, words]) => (
        <Row key={kind} words={words} count={data[kind]} />
      ))}
    </dl>
  );
}

const ROWS: [ErasureCount, string][] = [
  ['conversations', 'Conversations'],
  ['messages', 'Messages in them'],
  ['files', 'Files and original emails'],
  ['notes', 'Notes'],
  ['scheduled', 'Replies that are not sent yet'],
  ['elsewhere', 'Messages in conversations of others'],
  ['mergedContacts', 'Merged contacts'],
  ['events', 'Events with their deliveries'],
  ['updates', 'Received updates of channels'],
  ['auditEntries', 'Names in the audit log'],
];

function Row({ words, count }: { words: string; count: ErasurePreview[ErasureCount] }) {
  return (
    <>
      <dt>{words}</dt>
      <dd className="text-right text-ink tabular-nums">{formatCount(count) || '0'}</dd>
    </>
  );
}
