import { z } from 'zod';
import { createTestWorkspace } from '#server/administration/workspaces/create-test-workspace.ts';
import { getOutboxMessage, listOutbox } from '#server/administration/workspaces/test-outbox.ts';
import { TEST_CHANNELS, writeAsContact } from '#server/administration/workspaces/write-as-contact.ts';
import { addressInput, keyInput, lineInput, textInput } from '#server/contract/text-input.ts';
import { db } from '#server/core/database/prisma.ts';
import { OUTBOX_MAX } from '#server/core/divert-message.ts';
import { settings } from '#server/core/env.ts';
import { CONTENT_MAX_LENGTH, SUBJECT_MAX_LENGTH } from '#server/inbox/messages/incoming-message.ts';
import { agentProcedure, ownerProcedure, screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { OutboxView } from '#server/screens/settings/views.ts';

/** The test workspace of the open workspace, and the outbox if the open one is a test workspace. */
export const testWorkspaceScreens = screenRouter({
  /** The test workspace, or null if there is none yet. */
  find: ownerProcedure.query(({ ctx: { workspace } }) =>
    db().workspace.findFirst({
      where: { testOfId: workspace.id, deletedAt: null },
      select: { id: true, name: true },
    }),
  ),
  create: ownerProcedure.mutation(({ ctx: { workspace, user } }) =>
    createTestWorkspace({ workspaceId: workspace.id, by: user }),
  ),
  /**
   * A page of the outbox with the opened message. Null outside a test workspace, and for those who do not see all its
   * conversations.
   */
  outbox: screenProcedure
    .input(z.object({ before: keyInput.optional(), messageId: keyInput.optional() }))
    .query(async ({ ctx: { workspace }, input: { before, messageId } }): Promise<OutboxView | null> => {
      if (!workspace.isTest || workspace.visibility) return null;
      const where = { workspaceId: workspace.id };
      const [page, details] = await Promise.all([
        listOutbox(db(), { ...where, before }),
        messageId === undefined ? null : getOutboxMessage(db(), { ...where, id: messageId }),
      ]);
      const { HISTORY_DAYS } = settings();
      return { ...page, details, messagesMax: OUTBOX_MAX, historyDays: HISTORY_DAYS };
    }),
  write: agentProcedure
    .input(
      z.object({
        channel: z.enum(TEST_CHANNELS),
        name: lineInput,
        address: addressInput,
        subject: textInput(SUBJECT_MAX_LENGTH),
        content: textInput(CONTENT_MAX_LENGTH, 'message'),
      }),
    )
    .mutation(({ ctx: { workspace }, input }) => writeAsContact(workspace.id, input)),
});
