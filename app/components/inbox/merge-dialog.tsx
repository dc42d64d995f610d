'use client';

import { type ComponentProps, useState } from 'react';
import { nameOf } from '#app/components/conversations/conversation-choice.tsx';
import { mergeConversation } from '#app/components/inbox/actions.ts';
import { MergeChoices, useMergeChoices } from '#app/components/inbox/merge-choices.tsx';
import { MergeForm } from '#app/components/inbox/merge-form.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { notReached } from '#app/lib/outcome.ts';
import type { OfferedMerge } from '#server/screens/inbox/views.ts';

type Props = {
  id: string;
  title: string;
  /** The contact's address is unverified. */
  isClaimed: boolean;
  onDone: () => void;
};

/** Searches and selects the target. */
function MergeIntoOther({ id, title, isClaimed, onDone }: Props) {
  const [search, setSearch] = useState('');
  const [into, setInto] = useState<OfferedMerge | null>(null);
  const choices = useMergeChoices(id, search);
  return (
    <MergeForm
      into={into}
      fromIds={[id]}
      merge={async (other) => {
        const outcome = await mergeConversation(id, other.id).catch(notReached);
        return outcome.done ? { done: true, value: `Merged into ${nameOf(other)}` } : outcome;
      }}
      what={<b className="font-medium">{title}</b>}
      isClaimed={isClaimed}
      onDone={onDone}
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
    </MergeForm>
  );
}

type DialogProps = Omit<Props, 'onDone'> & {
  control: NonNullable<ComponentProps<typeof Dialog>['control']>;
};

export function MergeDialog({ control, ...conversation }: DialogProps) {
  return (
    <Dialog
      control={control}
      title="Merge into another conversation"
      description="For a contact who wrote twice about the same thing."
    >
      {(close) => <MergeIntoOther {...conversation} onDone={close} />}
    </Dialog>
  );
}
