'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type RemovalDialogProps, removeFromInbox } from '#app/components/inbox/after-removal.ts';
import { markNotSpam, markSpam } from '#app/components/inbox/removal-actions.ts';
import { queryErrorMessage, useScreens } from '#app/components/live/screens-provider.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';
import { usePendingTransition } from '#app/components/ui/use-action.ts';

type BlockKind = Parameters<typeof markSpam>[1];

/** Asks whether to block the sender, and marks the conversation as spam. */
export default function SpamDialog(props: RemovalDialogProps) {
  return (
    <Dialog
      control={props.control}
      title="Mark as spam"
      description="The conversation moves to Spam, and new messages in it stay there. Workflows and automations no longer see it."
    >
      {(close) => <SpamForm {...props} onDone={close} />}
    </Dialog>
  );
}

function SpamForm({ onDone, ...props }: RemovalDialogProps & { onDone: () => void }) {
  const { id } = props;
  const screens = useScreens();
  const { data: choices, error } = useQuery({
    queryKey: ['removed.blockChoices', id],
    queryFn: ({ signal }) => screens.removed.blockChoices.query({ id }, { signal }),
  });
  const [block, setBlock] = useState<BlockKind>(null);
  const [pending, start] = usePendingTransition();
  const submit = () =>
    start(async () => {
      const done = block === null ? 'Marked as spam' : 'Marked as spam, sender blocked';
      const isMarked = await removeFromInbox(props, {
        remove: markSpam(id, block),
        restore: ({ blocked }) => markNotSpam(id, blocked),
        done,
      });
      if (isMarked) onDone();
    });
  return (
    <form
      aria-label="Mark as spam"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <fieldset className="grid min-w-0 gap-1.5">
        <legend className="mb-1.5 font-medium text-list">Block the sender</legend>
        <Choice label="Don’t block" checked={block === null} onChoose={() => setBlock(null)} />
        {choices ? null : error ? (
          <FieldError>{queryErrorMessage(error)}</FieldError>
        ) : (
          <Skeleton className="w-1/2" />
        )}
        {choices?.map(({ kind, name }) => (
          <Choice
            key={kind}
            label={kind === 'domain' ? `Block everyone at ${name}` : `Block ${name}`}
            checked={block === kind}
            onChoose={() => setBlock(kind)}
          />
        ))}
      </fieldset>
      {block === null ? null : (
        <p className="text-ink-soft text-list">
          Messages from blocked senders are refused. Owners and admins can unblock them in{' '}
          {'Settings > Blocked senders.'}
        </p>
      )}
      <FormFooter onCancel={onDone} submit="Mark as spam" busy="Marking" pending={pending} />
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
