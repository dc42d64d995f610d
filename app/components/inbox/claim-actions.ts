import { change } from '#app/components/live/page-data.ts';

/** Links the conversation's contact to the owner of the address that they claim. */
export const linkContact = change(({ claims }, conversationId: string, ownerId: string) =>
  claims.link.mutate({ conversationId, ownerId }),
);

export const unlinkContact = change(({ claims }, conversationId: string) =>
  claims.unlink.mutate({ conversationId }),
);

/** Emails a link to the claimed address and returns the address. */
export const sendVerificationLink = change(({ claims }, conversationId: string) =>
  claims.sendLink.mutate({ conversationId }),
);

export const acceptOffer = change(({ claims }, conversationId: string) =>
  claims.acceptOffer.mutate({ conversationId }),
);

export const undoOffer = change(({ claims }, conversationId: string) =>
  claims.undoOffer.mutate({ conversationId }),
);

export const dismissOffer = change(({ claims }, conversationId: string) =>
  claims.dismissOffer.mutate({ conversationId }),
);
