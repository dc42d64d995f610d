'use client';

import { Merge } from 'lucide-react';
import { useState } from 'react';
import { mergeConversation } from '#app/components/inbox/actions.ts';
import { MergeChoices, nameOf, UnverifiedWarning } from '#app/components/inbox/merge-choices.tsx';
import { select } from '#app/components/inbox/select.ts';
import { showInbox } from '#app/components/inbox/show-inbox.ts';
import { refetchTopic } from '#app/components/live/refetch-topic.ts';
import { IconButton } from '#app/components/ui/button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { usePendingTransition } from '#app/components/ui/use-action.ts';
import { pluralize } from '#app/lib/format-count.ts';
import { inboxPath } from '#app/lib/inbox-path.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { InboxRow, OfferedMerge } from '#server/screens/inbox/views.ts';

/** Maximum number of conversations in one merge. */
const MERGED_MAX = 20;

/** Button whose dialog merges the selected conversations into one of them. */
export function MergeSelected({ selected }: { selected: InboxRow[] }) {
  const [open, setOpen] = useState(false);
  const isPossible = selected.length >= 2 && selected.length <= MERGED_MAX;
  return (
    <>
      <IconButton
        icon={Merge}
        label={isPossible ? 'Merge selected' : `Merge selected (2 to ${MERGED_MAX} conversations)`}
        data-shortcut="merge"
        aria-disabled={!isPossible}
        onClick={() => isPossible && setOpen(true)}
      />
      <Dialog
        control={{ open, onOpenChange: setOpen }}
        title={`Merge ${selected.length} conversations`}
        description="Choose the one to continue in. Merging can’t be undone."
      >
        {(close) => <MergeForm selected={selected} onDone={close} />}
      </Dialog>
    </>
  );
}

function MergeForm({ selected, onDone }: { selected: InboxRow[]; onDone: () => void }) {
  // The list may change meanwhile.
  const [offered] = useState(() => selected.map((row): OfferedMerge => ({ ...row, problem: null })));
  const [into, setInto] = useState<OfferedMerge | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, start] = usePendingTransition();
  const others = offered.filter(({ id }) => id !== into?.id);
  const merge = (target: OfferedMerge) =>
    start(async () => {
      for (const [merged, { id }] of others.entries()) {
        const outcome = await mergeConversation(id, target.id).catch(notReached);
        if (outcome.done) continue;
        await refetchTopic('conversations');
        setProblem(
          merged === 0 ? outcome.problem : `Stopped after ${pluralize(merged, 'merge')}. ${outcome.problem}`,
        );
        return;
      }
      onDone();
      select([]);
      toast.success(`${pluralize(others.length, 'conversation')} merged into ${nameOf(target)}`);
      showInbox(inboxPath({ status: 'all', selected: target.id }));
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
      <MergeChoices legend="Continue in" choices={offered} chosen={into} onChoose={setInto} />
      {into ? (
        <p className="rounded-lg border bg-canvas p-3 text-list">
          {others.length === 1 ? 'The other conversation' : `The other ${others.length} conversations`} will
          be merged into <b className="font-medium">{nameOf(into)}</b>. Their messages stay in place and
          readable. New messages from their contacts go to this conversation.
          {others.some(({ contactClaimed }) => contactClaimed) && !into.contactClaimed ? (
            <UnverifiedWarning />
          ) : null}
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
