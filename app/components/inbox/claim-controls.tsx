'use client';

import { linkTo, sendLink, unlink } from '#app/components/inbox/claim-changes.ts';
import { Button } from '#app/components/ui/button.tsx';
import { usePendingTransition } from '#app/components/ui/use-action.ts';
import type { ConversationView } from '#server/screens/inbox/views.ts';

type Props = { conversation: Pick<ConversationView, 'id' | 'claim' | 'isLinked'> };

/** Buttons for a claimed address: link the contact to its owner, email the owner a link, or undo the link. */
export function ClaimControls({ conversation: { id, claim, isLinked } }: Props) {
  const [unlinking, startUnlinking] = usePendingTransition();
  if (isLinked) {
    return (
      <div className="grid justify-items-start gap-1.5 text-ink-soft text-list">
        <p>Linked because the visitor gave this address.</p>
        <Button onClick={() => startUnlinking(() => unlink(id))} aria-disabled={unlinking}>
          Undo link
        </Button>
      </div>
    );
  }
  return claim ? <ClaimButtons id={id} owner={claim.owner} /> : null;
}

type ClaimButtonsProps = { id: string; owner: NonNullable<ConversationView['claim']>['owner'] };

function ClaimButtons({ id, owner }: ClaimButtonsProps) {
  const [linking, startLinking] = usePendingTransition();
  const [sending, startSending] = usePendingTransition();
  return (
    <div className="flex min-w-0 flex-wrap gap-2">
      {owner ? (
        <Button
          onClick={() => startLinking(() => linkTo(id, owner))}
          aria-disabled={linking}
          className="max-w-full"
        >
          <span className="min-w-0 truncate">Link to {owner.name}</span>
        </Button>
      ) : null}
      <Button onClick={() => startSending(() => sendLink(id))} aria-disabled={sending}>
        {sending ? 'Sending' : 'Send a verification link'}
      </Button>
    </div>
  );
}
