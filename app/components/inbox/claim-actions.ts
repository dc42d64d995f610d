'use server';

import { action } from '#app/data/action.ts';

/** Links the conversation's contact to the owner of the address that they claim. */
export const linkContact = action(null, async ({ claims }, conversationId: string, ownerId: string) => {
  await claims.link({ conversationId, ownerId });
});

export const unlinkContact = action(null, async ({ claims }, conversationId: string) => {
  await claims.unlink({ conversationId });
});

/** Emails a link to the claimed address and returns the address. */
export const sendVerificationLink = action(null, ({ claims }, conversationId: string) =>
  claims.sendLink({ conversationId }),
);

export const acceptOffer = action(null, async ({ claims }, conversationId: string) => {
  await claims.acceptOffer({ conversationId });
});

export const undoOffer = action(null, async ({ claims }, conversationId: string) => {
  await claims.undoOffer({ conversationId });
});

export const dismissOffer = action(null, async ({ claims }, conversationId: string) => {
  await claims.dismissOffer({ conversationId });
});
