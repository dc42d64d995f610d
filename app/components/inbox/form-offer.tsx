'use client';

import { CircleHelp } from 'lucide-react';
import { OfferNotice, thenRefetch } from '#app/components/inbox/offer-notice.tsx';
import { change } from '#app/components/live/page-data.ts';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import type { ConversationView } from '#server/screens/inbox/views.ts';

const listForm = change(({ channels }, address: string) => channels.addForm.mutate({ address }));

const declineForm = change(({ channels }, address: string) => channels.declineForm.mutate({ address }));

type Props = { offer: NonNullable<ConversationView['formOffer']> };

/** Offers to list the sender of a conversation as a contact form. */
export function FormOffer({ offer: { address, person, mayList } }: Props) {
  const list = useAction(thenRefetch(listForm), {
    failed: 'Could not list the form',
    done: `New emails from ${address} start a conversation with the person in Reply-To`,
  });
  const decline = useAction(thenRefetch(declineForm), { failed: 'Could not save your answer' });
  const pending = list.pending || decline.pending;
  return (
    <OfferNotice
      label="Contact form"
      icon={CircleHelp}
      sentence={
        <>
          Is <bdi className="text-ink">{address}</bdi> a contact form? Its emails then start a conversation
          with the person in Reply-To, here <bdi className="text-ink">{person}</bdi>.
          {mayList ? null : ' An owner or admin can list it.'}
        </>
      }
    >
      {mayList ? (
        <Button onClick={() => list.start(address)} aria-disabled={pending}>
          List as a form
        </Button>
      ) : null}
      <Button onClick={() => decline.start(address)} aria-disabled={pending}>
        Not a form
      </Button>
    </OfferNotice>
  );
}
