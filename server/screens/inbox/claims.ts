import { z } from 'zod';
import { keyInput } from '#server/contract/text-input.ts';
import { acceptOffer, dismissOffer, undoOffer } from '#server/inbox/claimed-addresses/contact-offers.ts';
import { linkContact, unlinkContact } from '#server/inbox/claimed-addresses/link-contact.ts';
import { sendVerificationLink } from '#server/inbox/claimed-addresses/send-verification-link.ts';
import { findVerification, verifyAddress } from '#server/inbox/claimed-addresses/verify-address.ts';
import { agentProcedure, publicScreenProcedure, screenRouter } from '#server/screens/procedures.ts';

const which = z.object({ conversationId: keyInput });
const token = z.object({ token: keyInput });

/** Addresses that contacts claim: what teammates decide, and the page of the mailed link. */
export const claimsScreens = screenRouter({
  link: agentProcedure
    .meta({ names: { conversationId: 'conversation' } })
    .input(which.extend({ ownerId: keyInput }))
    .mutation(({ ctx: { workspace, actor }, input }) =>
      linkContact({ workspaceId: workspace.id, ...input, actor }),
    ),
  unlink: agentProcedure
    .meta({ names: { conversationId: 'conversation' } })
    .input(which)
    .mutation(({ ctx: { workspace, actor }, input }) =>
      unlinkContact({ workspaceId: workspace.id, ...input, actor }),
    ),
  sendLink: agentProcedure
    .meta({ names: { conversationId: 'conversation' } })
    .input(which)
    .mutation(({ ctx: { workspace, actor }, input }) =>
      sendVerificationLink({ workspaceId: workspace.id, ...input, actor }),
    ),
  acceptOffer: agentProcedure
    .meta({ names: { conversationId: 'conversation' } })
    .input(which)
    .mutation(({ ctx: { workspace, actor }, input }) =>
      acceptOffer({ workspaceId: workspace.id, ...input, actor }),
    ),
  undoOffer: agentProcedure
    .meta({ names: { conversationId: 'conversation' } })
    .input(which)
    .mutation(({ ctx: { workspace, actor }, input }) =>
      undoOffer({ workspaceId: workspace.id, ...input, actor }),
    ),
  dismissOffer: agentProcedure
    .meta({ names: { conversationId: 'conversation' } })
    .input(which)
    .mutation(({ ctx: { workspace }, input }) => dismissOffer({ workspaceId: workspace.id, ...input })),
  getVerification: publicScreenProcedure.input(token).query(({ input }) => findVerification(input.token)),
  verify: publicScreenProcedure.input(token).mutation(({ input }) => verifyAddress(input.token)),
});
