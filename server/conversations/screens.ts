import { z } from 'zod';
import { countConversations, listConversations } from '#server/conversations/list-conversations.ts';
import { openConversation } from '#server/conversations/open-conversation.ts';
import { db } from '#server/db.ts';
import { ConversationStatus } from '#server/generated/prisma/enums.ts';
import { screenProcedure, screenRouter } from '#server/trpc.ts';

export type { ConversationRow, ConversationView, ThreadItem } from '#server/conversations/views.ts';

/** The inbox. */
export const conversationsScreens = screenRouter({
  list: screenProcedure
    .input(z.object({ status: z.enum(ConversationStatus).optional() }))
    .query(async ({ ctx: { workspace }, input: { status } }) => {
      const [rows, counts] = await Promise.all([
        listConversations(db(), { workspaceId: workspace.id, ...(status ? { status } : {}) }),
        countConversations(db(), workspace.id),
      ]);
      return { rows, counts };
    }),
  open: screenProcedure
    .input(z.object({ id: z.string() }))
    .query(({ ctx: { workspace }, input }) =>
      openConversation(db(), { workspaceId: workspace.id, id: input.id }),
    ),
});
