'use client';

import { UserRoundPen } from 'lucide-react';
import { acceptOffer, dismissOffer, undoOffer } from '#app/components/inbox/claim-actions.ts';
import { OfferNotice, thenRefetch } from '#app/components/inbox/offer-notice.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import type { ConversationView } from '#server/screens/inbox/views.ts';

type Props = { conversationId: string; offer: NonNullable<ConversationView['contactOffer']> };

/** Offers to make a person that the first email names the contact of the conversation, and to undo that. */
export function ContactOffer({ conversationId: id, offer }: Props) {
  const { kind, email, isAccepted } = offer;
  const undo = useAction(thenRefetch(undoOffer), {
    failed: 'Could not undo the change',
    done: 'Change of the contact undone',
  });
  const accept = useAction(thenRefetch(acceptOffer), {
    failed: 'Could not change the contact',
    done: () => ({ title: `Replies now go to ${email}`, undo: () => undo.start(id) }),
  });
  const dismiss = useAction(thenRefetch(dismissOffer), { failed: 'Could not save your answer' });
  const pending = accept.pending || dismiss.pending || undo.pending;
  const address = <bdi className="text-ink">{email}</bdi>;
  return (
    <OfferNotice
      label="Contact"
      icon={UserRoundPen}
      sentence={
        isAccepted ? (
          <>Replies go to {address}. Nobody has verified that this address wrote the email.</>
        ) : kind === 'forward' ? (
          <>This forwards an email from {address}.</>
        ) : (
          <>The form names {address}.</>
        )
      }
    >
      {isAccepted ? (
        <Button onClick={() => undo.start(id)} aria-disabled={pending}>
          Undo
        </Button>
      ) : (
        <>
          <Button onClick={() => accept.start(id)} aria-disabled={pending} className="max-w-full">
            <span className="min-w-0 truncate">
              {kind === 'forward' ? `Start this with ${email} instead` : `Answer ${email} instead`}
            </span>
          </Button>
          <Button onClick={() => dismiss.start(id)} aria-disabled={pending}>
            Dismiss
          </Button>
        </>
      )}
    </OfferNotice>
  );
}
