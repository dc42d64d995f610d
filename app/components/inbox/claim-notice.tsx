'use client';

import { lazy, Suspense } from 'react';
import { AddressNotVerified } from '#app/components/conversations/address-not-verified.tsx';
import type { ConversationView } from '#server/screens/inbox/views.ts';

// Loaded for the few conversations with a claimed address.
const ClaimControls = lazy(() => import('#app/components/inbox/claim-controls.tsx'));

type Props = {
  conversation: Pick<ConversationView, 'id' | 'claim' | 'isLinked' | 'contactClaimed'>;
  mayChange: boolean;
};

/** The address that the contact claims, and what a teammate can do about it. */
export function ClaimNotice({ conversation, mayChange }: Props) {
  const { claim, isLinked, contactClaimed } = conversation;
  if (!contactClaimed && !isLinked) return null;
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
      {mayChange ? (
        <Suspense>
          <ClaimControls conversation={conversation} />
        </Suspense>
      ) : null}
    </div>
  );
}
