'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { blockSender, unblockSender } from '#app/components/inbox/removal-actions.ts';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';
import { toastOutcome, usePendingTransition } from '#app/components/ui/use-action.ts';

type BlockKind = Parameters<typeof blockSender>[1];

/** Button and dialog that block the sender of a spam conversation. */
export function BlockSenderButton({ id }: { id: string }) {
  return (
    <Dialog
      trigger={<Button data-shortcut="block-sender">Block sender…</Button>}
      title="Block sender"
      description="Messages from blocked senders are refused. Owners and admins can unblock them in Settings > Blocked senders."
    >
      {(close) => <BlockForm id={id} close={close} />}
    </Dialog>
  );
}

function BlockForm({ id, close }: { id: string; close: () => void }) {
  const screens = useScreens();
  const queries = useQueryClient();
  const { data: choices, error } = useQuery({
    queryKey: ['removed.blockChoices', id],
    queryFn: ({ signal }) => screens.removed.blockChoices.query({ id }, { signal }),
  });
  const [chosen, choose] = useState<BlockKind | null>(null);
  const kind = chosen ?? choices?.[0]?.kind;
  const [pending, start] = usePendingTransition();
  // The details say that the contact is blocked.
  const refresh = () => queries.invalidateQueries({ queryKey: ['contact-history', id] });
  const undo = async (blocked: string[]) => {
    await toastOutcome(unblockSender(blocked), { failed: 'Could not unblock the sender', done: 'Undone' });
    await refresh();
  };
  const submit = (kind: BlockKind) =>
    start(async () => {
      const outcome = await toastOutcome(blockSender(id, kind), {
        failed: 'Could not block the sender',
        done: (blocked) =>
          blocked.length === 0
            ? 'This sender is already blocked'
            : { title: 'Sender blocked', undo: () => undo(blocked) },
      });
      if (!outcome.done) return;
      close();
      await refresh();
    });
  return (
    <form
      aria-label="Block sender"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (kind) submit(kind);
      }}
    >
      {choices ? null : error ? (
        <FieldError>{queryErrorMessage(error)}</FieldError>
      ) : (
        <Skeleton className="w-1/2" />
      )}
      {choices?.length === 0 ? <p className="text-list">This sender can’t be blocked.</p> : null}
      {choices && choices.length > 0 ? (
        <fieldset className="grid min-w-0 gap-1.5">
          <legend className="sr-only">Who to block</legend>
          {choices.map(({ kind: each, name }) => (
            <Choice
              key={each}
              label={each === 'domain' ? `Everyone at ${name}` : name}
              checked={kind === each}
              onChoose={() => choose(each)}
            />
          ))}
        </fieldset>
      ) : null}
      <FormFooter onCancel={close} submit="Block sender" busy="Blocking" pending={pending || !kind} />
    </form>
  );
}

function Choice({ label, checked, onChoose }: { label: string; checked: boolean; onChoose: () => void }) {
  return (
    <label className="flex min-h-9 cursor-pointer items-center gap-2.5 text-list max-md:min-h-11">
      <input
        type="radio"
        name="block"
        checked={checked}
        onChange={onChoose}
        className="size-4 shrink-0 accent-accent"
      />
      <bdi className="min-w-0 [overflow-wrap:anywhere]">{label}</bdi>
    </label>
  );
}
