'use client';

import { type ReactNode, useState } from 'react';
import { AddressNotVerified } from '#app/components/conversations/address-not-verified.tsx';
import { nameOf } from '#app/components/inbox/merge-choices.tsx';
import { showInbox } from '#app/components/inbox/show-inbox.ts';
import { refetchTopic } from '#app/components/live/refetch-topic.ts';
import { FieldError } from '#app/components/ui/field.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { usePendingTransition } from '#app/components/ui/use-action.ts';
import { inboxPath } from '#app/lib/inbox-path.ts';
import type { Outcome } from '#app/lib/outcome.ts';
import type { OfferedMerge } from '#server/screens/inbox/views.ts';

type Props = {
  into: OfferedMerge | null;
  /** Merges into the chosen conversation. The value is the success message. */
  merge: (into: OfferedMerge) => Promise<Outcome<string>>;
  /** The conversations that will be merged, and the effect on their messages. */
  what: ReactNode;
  effect: string;
  /** A contact among `what` has an unverified address. */
  isClaimed: boolean;
  onDone: () => void;
  /** Choices of `into`. */
  children: ReactNode;
};

/** Explains the effect of a merge, merges, and opens the target. */
export function MergeForm({ into, merge, what, effect, isClaimed, onDone, children }: Props) {
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, start] = usePendingTransition();
  const submit = (target: OfferedMerge) =>
    start(async () => {
      const outcome = await merge(target);
      setProblem(outcome.done ? null : outcome.problem);
      if (!outcome.done) return;
      onDone();
      toast.success(outcome.value);
      showInbox(inboxPath({ status: 'all', selected: target.id }));
      await refetchTopic('conversations');
    });
  return (
    <form
      aria-label="Merge"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (into) submit(into);
      }}
    >
      {children}
      {into ? (
        <p className="rounded-lg border bg-canvas p-3 text-list">
          {what} will be merged into <b className="font-medium">{nameOf(into)}</b>. {effect}
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

/** Warns that a visitor whose address is unverified does not see the conversation of another contact. */
function UnverifiedWarning() {
  return (
    <span className="mt-2 grid justify-items-start gap-1.5">
      <AddressNotVerified />
      <span>A visitor’s address isn’t verified, so they won’t see replies you write after the merge.</span>
    </span>
  );
}
