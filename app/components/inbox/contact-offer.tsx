'use client';

import { UserRoundPen } from 'lucide-react';
import { acceptOffer, dismissOffer, undoOffer } from '#app/components/inbox/claim-actions.ts';
import { refetchTopic } from '#app/components/live/refetch-topic.ts';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import type { Outcome } from '#app/lib/outcome.ts';
import type { ConversationView } from '#server/screens/inbox/views.ts';

type Props = { conversationId: string; offer: NonNullable<ConversationView['contactOffer']> };

/** Offers to make a person that the first email names the contact of the conversation, and to undo that. */
export default function ContactOffer({ conversationId: id, offer }: Props) {
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
    <section
      aria-label="Contact"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-canvas px-5 py-2 text-ink-soft text-list max-md:px-4"
    >
      <p className="flex min-w-0 grow basis-72 gap-2">
        <UserRoundPen aria-hidden size={15} className="mt-0.5 shrink-0" />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {isAccepted ? (
            <>Replies go to {address}. Nobody has verified that this address wrote the email.</>
          ) : kind === 'forward' ? (
            <>A teammate forwarded an email from {address}.</>
          ) : (
            <>The form names {address}.</>
          )}
        </span>
      </p>
      <div className="flex min-w-0 flex-wrap gap-2">
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
      </div>
    </section>
  );
}

function thenRefetch(act: (id: string) => Promise<Outcome<void>>) {
  return async (id: string) => {
    const outcome = await act(id);
    await refetchTopic('conversations');
    return outcome;
  };
}
