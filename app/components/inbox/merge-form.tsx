'use client';

import { type ReactNode, useState } from 'react';
import { AddressNotVerified } from '#app/components/conversations/address-not-verified.tsx';
import { nameOf } from '#app/components/conversations/conversation-choice.tsx';
import { MergeSummary, useMergeSides } from '#app/components/inbox/merge-summary.tsx';
import { undoMerge } from '#app/components/inbox/undo-merge.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { FieldError } from '#app/components/ui/field.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { usePendingTransition } from '#app/components/ui/use-action.ts';
import { showInbox, useInboxView } from '#app/components/view/inbox-view.tsx';
import { inboxPath } from '#app/lib/inbox-path.ts';
import type { Outcome } from '#app/lib/outcome.ts';
import type { OfferedMerge } from '#server/screens/inbox/views.ts';

type Props = {
  into: OfferedMerge | null;
  /** Merges `fromIds` into the chosen conversation. The value is the success message. */
  merge: (into: OfferedMerge) => Promise<Outcome<string>>;
  /** The conversations that will be merged. */
  fromIds: string[];
  what: ReactNode;
  /** A contact among `what` has an unverified address. */
  isClaimed: boolean;
  onDone: () => void;
  /** Choices of `into`. */
  children: ReactNode;
};

/**
 * Explains the effect of a merge, merges, and opens the target. The button waits for the explanation, so that nobody merges
 * two people unwarned.
 */
export function MergeForm({ into, merge, fromIds, what, isClaimed, onDone, children }: Props) {
  const view = useInboxView();
  const sides = useMergeSides(fromIds, into?.id ?? null);
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, start] = usePendingTransition();
  const isExplained = sides !== null && !('problem' in sides);
  const submit = (target: OfferedMerge) =>
    start(async () => {
      const outcome = await merge(target);
      setProblem(outcome.done ? null : outcome.problem);
      if (!outcome.done) return;
      onDone();
      toast.success(outcome.value, { action: { label: 'Undo', onClick: () => void undoMerge(fromIds) } });
      showInbox(inboxPath({ ...view, selected: target.id }));
      await refetchTopic('conversations');
    });
  return (
    <form
      aria-label="Merge"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (into && isExplained) submit(into);
      }}
    >
      {children}
      {into ? (
        <section
          aria-label="What the merge does"
          className="grid gap-2 rounded-lg border bg-canvas p-3 text-list"
        >
          <p>
            {what} will be merged into <b className="font-medium">{nameOf(into)}</b>.
          </p>
          <MergeSummary sides={sides} />
          {isClaimed && !into.contactClaimed ? <UnverifiedWarning /> : null}
        </section>
      ) : null}
      {problem ? <FieldError>{problem}</FieldError> : null}
      <FormFooter
        onCancel={onDone}
        submit="Merge"
        busy="Merging"
        pending={pending}
        variant="danger"
        disabled={!into || !isExplained}
      />
    </form>
  );
}

/** Warns that a visitor whose address is unverified does not see the conversation of another contact. */
function UnverifiedWarning() {
  return (
    <div className="grid justify-items-start gap-1.5">
      <AddressNotVerified />
      <p>A visitor’s address isn’t verified, so they won’t see replies you write after the merge.</p>
    </div>
  );
}
