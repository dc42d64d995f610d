import { z } from 'zod';
import { db } from '#server/db.ts';
import { holdReply } from '#server/messages/hold-reply.ts';
import { resendMessage } from '#server/messages/resend-message.ts';
import { showComposer } from '#server/messages/show-composer.ts';
import { takeBackReply } from '#server/messages/take-back-reply.ts';
import type { ComposerView } from '#server/messages/views.ts';
import { actingProcedure } from '#server/teammates/acting-procedure.ts';
import { screenProcedure, screenRouter } from '#server/trpc.ts';

export type * from '#server/messages/views.ts';

/** Writing to a contact. */
export const composerScreens = screenRouter({
  state: screenProcedure
    .input(z.object({ conversationId: z.string() }))
    .query(
      ({ ctx: { workspace, user }, input: { conversationId } }): Promise<ComposerView | null> =>
        showComposer(db(), { workspace, user, conversationId }),
    ),
  reply: actingProcedure

    .input(
      z.object({
        conversationId: z.uuid(),
        id: z.uuid(),
        content: z.string(),
        solves: z.boolean().optional(),
      }),
    )
    .mutation(({ ctx: { workspace, user }, input }) =>
      holdReply({ workspaceId: workspace.id, author: user, ...input }),
    ),
  takeBack: actingProcedure
    .input(z.object({ id: z.uuid() }))
    .mutation(({ ctx: { workspace, user }, input: { id } }) =>
      takeBackReply({ workspaceId: workspace.id, id, by: user }),
    ),
  resend: actingProcedure
    .input(z.object({ conversationId: z.uuid(), messageId: z.uuid() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      resendMessage({ workspaceId: workspace.id, by: user, ...input }),
    ),
});
