'use client';

import { type ComponentProps, useState } from 'react';
import { mergeConversation } from '#app/components/inbox/actions.ts';
import {
  MergeChoices,
  nameOf,
  UnverifiedWarning,
  useMergeChoices,
} from '#app/components/inbox/merge-choices.tsx';
import { showInbox } from '#app/components/inbox/show-inbox.ts';
import { refetchTopic } from '#app/components/live/refetch-topic.ts';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { Field, FieldError } from '#app/components/ui/field.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { usePendingTransition } from '#app/components/ui/use-action.ts';
import { inboxPath } from '#app/lib/inbox-path.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { OfferedMerge } from '#server/screens/inbox/views.ts';

type Props = {
  id: string;
  title: string;
  /** The contact's address is unverified. */
  isClaimed: boolean;
  onDone: () => void;
};

/** Selects the target, explains the effect and merges. */
function MergeForm({ id, title, isClaimed, onDone }: Props) {
  const [search, setSearch] = useState('');
  const [into, setInto] = useState<OfferedMerge | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, start] = usePendingTransition();
  const choices = useMergeChoices(id, search);
  const merge = (other: OfferedMerge) =>
    start(async () => {
      const outcome = await mergeConversation(id, other.id).catch(notReached);
      setProblem(outcome.done ? null : outcome.problem);
      if (!outcome.done) return;
      onDone();
      toast.success(`Merged into ${nameOf(other)}`);
      showInbox(inboxPath({ status: 'all', selected: other.id }));
      await refetchTopic('conversations');
    });
  return (
    <form
      aria-label="Merge"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (into) merge(into);
      }}
    >
      <Field label="Find the conversation">
        {({ id: fieldId }) => (
          <Input
            id={fieldId}
            type="search"
            autoComplete="off"
            placeholder="Contact, subject or words from a message"
            value={search}
            onChange={({ target }) => {
              setSearch(target.value);
              setInto(null);
            }}
          />
        )}
      </Field>
      <MergeChoices
        legend={search.trim() === '' ? 'From the same contact' : 'Results'}
        choices={choices}
        chosen={into}
        onChoose={setInto}
      />
      {into ? (
        <p className="rounded-lg border bg-canvas p-3 text-list">
          <b className="font-medium">{title}</b> will be merged into{' '}
          <b className="font-medium">{nameOf(into)}</b>. Its messages stay in place and readable. New messages
          from its contact go to the other conversation.
          {isClaimed && !into.contactClaimed ? <UnverifiedWarning /> : null}
        </p>
      ) : null}
      {problem ? <FieldError>{problem}</FieldError> : null}
      <FormFooter
        onCancel={onDone}
        submit="Merge"
        busy="Merging"
        pending={pending}
        variant="danger"
        disabled={!into}
      />
    </form>
  );
}

type DialogProps = Omit<Props, 'onDone'> & {
  control: NonNullable<ComponentProps<typeof Dialog>['control']>;
};

export default function MergeDialog({ control, ...conversation }: DialogProps) {
  return (
    <Dialog
      control={control}
      title="Merge into another conversation"
      description="For a contact who wrote twice about the same thing. Merging can’t be undone."
    >
      {(close) => <MergeForm {...conversation} onDone={close} />}
    </Dialog>
  );
}
