'use client';

import { useState } from 'react';
import { mergeContact } from '#app/components/contacts/actions.ts';
import { MergeCandidates } from '#app/components/contacts/merge-candidates.tsx';
import type { MergeTarget } from '#app/components/contacts/merge-contact-button.tsx';
import { MergePreviewCard } from '#app/components/contacts/merge-preview.tsx';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { Dialog, type DialogProps } from '#app/components/ui/dialog.tsx';
import { Field, FieldError } from '#app/components/ui/field.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { usePendingTransition } from '#app/components/ui/use-action.ts';
import { notReached } from '#app/lib/outcome.ts';
import { type ContactRow, contactLabel } from '#server/screens/contacts/views.ts';

/** `suggested` is chosen when the dialog opens. */
type Props = {
  into: MergeTarget;
  suggested: ContactRow | null;
  control: NonNullable<DialogProps['control']>;
};

/** Dialog that merges another contact into `into`. */
export function MergeContactDialog({ into, suggested, control }: Props) {
  return (
    <Dialog
      control={control}
      title="Merge contacts"
      description={
        <p>
          Choose another contact of the same person. It becomes part of{' '}
          <b className="font-medium text-ink">{into.label}</b>. This can’t be undone.
        </p>
      }
    >
      {(close) => <MergeForm into={into} suggested={suggested} onDone={close} />}
    </Dialog>
  );
}

function MergeForm({ into, suggested, onDone }: Omit<Props, 'control'> & { onDone: () => void }) {
  const [search, setSearch] = useState('');
  const [from, setFrom] = useState(suggested);
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, start] = usePendingTransition();
  const merge = ({ id, ...chosen }: ContactRow) =>
    start(async () => {
      const outcome = await mergeContact(id, into.id).catch(notReached);
      setProblem(outcome.done ? null : outcome.problem);
      if (!outcome.done) return;
      onDone();
      toast.success(`${contactLabel({ id, ...chosen })} merged into ${into.label}`);
      await refetchTopic('conversations');
    });
  return (
    <form
      aria-label="Merge contacts"
      className="grid grid-cols-[minmax(0,1fr)] gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (from) merge(from);
      }}
    >
      <Field label="Find the other contact">
        {({ id }) => (
          <Input
            id={id}
            type="search"
            autoComplete="off"
            placeholder="Name, email address, phone number or company"
            value={search}
            onChange={({ target }) => {
              setSearch(target.value);
              setFrom(null);
            }}
          />
        )}
      </Field>
      <MergeCandidates
        into={into}
        search={search}
        suggested={suggested}
        chosen={from}
        onChoose={(row) => {
          setFrom(row);
          setProblem(null);
        }}
      />
      {from ? <MergePreviewCard key={from.id} id={from.id} intoId={into.id} /> : null}
      {problem ? <FieldError>{problem}</FieldError> : null}
      <FormFooter
        onCancel={onDone}
        submit="Merge contacts"
        busy="Merging"
        pending={pending}
        variant="danger"
        disabled={!from}
      />
    </form>
  );
}
