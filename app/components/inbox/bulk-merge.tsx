'use client';

import { Merge } from 'lucide-react';
import { useState } from 'react';
import { nameOf } from '#app/components/conversations/conversation-choice.tsx';
import { mergeConversation } from '#app/components/inbox/actions.ts';
import { BulkButton } from '#app/components/inbox/bulk-button.tsx';
import { MergeChoices } from '#app/components/inbox/merge-choices.tsx';
import { MergeForm } from '#app/components/inbox/merge-form.tsx';
import { select } from '#app/components/inbox/selection.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { pluralize } from '#app/lib/format-count.ts';
import { notReached, type Outcome } from '#app/lib/outcome.ts';
import type { InboxRow, OfferedMerge } from '#server/screens/inbox/views.ts';

/** Maximum number of conversations in one merge. */
const MERGED_MAX = 20;

/** Button whose dialog merges the selected conversations into one of them. */
export function MergeSelected({ selected }: { selected: InboxRow[] }) {
  const [open, setOpen] = useState(false);
  const isPossible = selected.length >= 2 && selected.length <= MERGED_MAX;
  return (
    <>
      <BulkButton
        icon={Merge}
        label={isPossible ? 'Merge selected' : `Merge selected (2 to ${MERGED_MAX} conversations)`}
        word="Merge"
        data-shortcut="merge"
        aria-disabled={!isPossible}
        onClick={() => isPossible && setOpen(true)}
      />
      <Dialog
        control={{ open, onOpenChange: setOpen }}
        title={`Merge ${selected.length} conversations`}
        description="Choose which conversation to merge into."
      >
        {(close) => <MergeIntoOne selected={selected} onDone={close} />}
      </Dialog>
    </>
  );
}

function MergeIntoOne({ selected, onDone }: { selected: InboxRow[]; onDone: () => void }) {
  // The dialog keeps its rows while the list below it changes.
  const [offered] = useState(() => offer(selected));
  const [into, setInto] = useState<OfferedMerge | null>(null);
  const others = offered.filter(({ id }) => id !== into?.id);
  const merge = async (target: OfferedMerge): Promise<Outcome<string>> => {
    for (const [merged, { id }] of others.entries()) {
      const outcome = await mergeConversation(id, target.id).catch(notReached);
      if (outcome.done) continue;
      await refetchTopic('conversations');
      if (merged === 0) return outcome;
      return { ...outcome, problem: `Stopped after ${pluralize(merged, 'merge')}. ${outcome.problem}` };
    }
    select([]);
    return {
      done: true,
      value: `${pluralize(others.length, 'conversation')} merged into ${nameOf(target)}`,
    };
  };
  return (
    <MergeForm
      into={into}
      fromIds={others.map(({ id }) => id)}
      merge={merge}
      what={others.length === 1 ? 'The other conversation' : `The other ${others.length} conversations`}
      isClaimed={others.some(({ contactClaimed }) => contactClaimed)}
      onDone={onDone}
    >
      <MergeChoices legend="Merge into" choices={offered} chosen={into} onChoose={setInto} />
    </MergeForm>
  );
}

/** A closed conversation accepts only closed ones. */
function offer(selected: InboxRow[]): OfferedMerge[] {
  const areClosed = selected.every(({ status }) => status === 'closed');
  return selected.map((row) => ({
    ...row,
    problem:
      row.status === 'closed' && !areClosed ? 'This conversation is closed and can’t be reopened.' : null,
  }));
}
