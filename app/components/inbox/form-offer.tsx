'use client';

import { CircleHelp } from 'lucide-react';
import { declineForm, listForm } from '#app/components/inbox/form-offer-actions.ts';
import { refetchTopic } from '#app/components/live/refetch-topic.ts';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import type { Outcome } from '#app/lib/outcome.ts';
import type { ConversationView } from '#server/screens/inbox/views.ts';

type Props = { offer: NonNullable<ConversationView['formOffer']> };

/** Offers to list the sender of a conversation as a contact form. */
export default function FormOffer({ offer: { address, person, mayList } }: Props) {
  const list = useAction(thenRefetch(listForm), {
    failed: 'Could not list the form',
    done: `New emails from ${address} start a conversation with the person in Reply-To`,
  });
  const decline = useAction(thenRefetch(declineForm), { failed: 'Could not save your answer' });
  const pending = list.pending || decline.pending;
  return (
    <section
      aria-label="Contact form"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-canvas px-5 py-2 text-ink-soft text-list max-md:px-4"
    >
      <p className="flex min-w-0 grow basis-72 gap-2">
        <CircleHelp aria-hidden size={15} className="mt-0.5 shrink-0" />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          Is <bdi className="text-ink">{address}</bdi> a contact form? Its emails then start a conversation
          with the person in Reply-To, here <bdi className="text-ink">{person}</bdi>.
          {mayList ? null : ' An owner or admin can list it.'}
        </span>
      </p>
      <div className="flex shrink-0 gap-2">
        {mayList ? (
          <Button onClick={() => list.start(address)} aria-disabled={pending}>
            List as a form
          </Button>
        ) : null}
        <Button onClick={() => decline.start(address)} aria-disabled={pending}>
          Not a form
        </Button>
      </div>
    </section>
  );
}

function thenRefetch(act: (address: string) => Promise<Outcome<void>>) {
  return async (address: string) => {
    const outcome = await act(address);
    await refetchTopic('conversations');
    return outcome;
  };
}
