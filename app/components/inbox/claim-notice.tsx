'use client';

import { AddressNotVerified } from '#app/components/conversations/address-not-verified.tsx';
import { ClaimControls } from '#app/components/inbox/claim-controls.tsx';
import type { ConversationView } from '#server/screens/inbox/views.ts';

type Props = {
  conversation: Pick<ConversationView, 'id' | 'claim' | 'isLinked' | 'contactClaimed'>;
  mayChange: boolean;
};

/** The address that the contact claims, and what a teammate can do about it. */
export function ClaimNotice({ conversation, mayChange }: Props) {
  const { claim, contactClaimed } = conversation;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 text-ink-soft text-list">
      {claim ? (
        <p className="[overflow-wrap:anywhere]">
          Says they are <span className="text-ink">{claim.email}</span> · not verified
        </p>
      ) : null}
      {contactClaimed && !claim ? (
        <div>
          <AddressNotVerified />
        </div>
      ) : null}
      {mayChange ? <ClaimControls conversation={conversation} /> : null}
    </div>
  );
}
