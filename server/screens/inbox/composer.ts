import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { formattedInput } from '#server/contract/parse-formatted.ts';
import { addressInput, keyInput, lineInput, textInput, textsInput } from '#server/contract/text-input.ts';
import { db } from '#server/core/database/prisma.ts';
import { listTemplates, type TemplateView } from '#server/inbox/channels/whatsapp/templates.ts';
import { ARGUMENTS_MAX_LENGTH, runCommand } from '#server/inbox/commands/run-command.ts';
import { ATTACHMENTS_MAX, TOO_MANY } from '#server/inbox/files/content-types.ts';
import { uploadedFileShape } from '#server/inbox/files/uploaded-file.ts';
import { cancelReply } from '#server/inbox/messages/cancel-reply.ts';
import { dismissFailure } from '#server/inbox/messages/dismiss-failure.ts';
import { forwardMessage } from '#server/inbox/messages/forward-message.ts';
import { saveDraft } from '#server/inbox/messages/reply-drafts.ts';
import { rescheduleReply } from '#server/inbox/messages/reschedule-reply.ts';
import { resendMessage } from '#server/inbox/messages/resend-message.ts';
import { REPLY_MAX_LENGTH } from '#server/inbox/messages/save-reply.ts';
import { COPIES_MAX, type ScheduledReply, scheduleReply } from '#server/inbox/messages/schedule-reply.ts';
import { sendTemplate } from '#server/inbox/messages/send-reply.ts';
import { takeSuggestedReply } from '#server/inbox/messages/suggested-replies.ts';
import { readRun } from '#server/screens/inbox/command-runs.ts';
import { insertOnce } from '#server/screens/inbox/insert-once.ts';
import { agentProcedure, screenProcedure, screenRouter } from '#server/screens/procedures.ts';

export type * from '#server/screens/inbox/composer-views.ts';

/** Id of the row to insert, the same in a repeated request (`insertOnce`). Pages of older versions send none. */
export const attemptId = z.uuid().default(() => uuidv7());

const addresses = z
  .array(addressInput)
  .max(2 * COPIES_MAX)
  .optional();

/** Copies and files of a message written in the inbox. `parseCopies` validates the addresses. */
export const enclosuresShape = {
  cc: addresses,
  bcc: addresses,
  files: z.array(uploadedFileShape).max(ATTACHMENTS_MAX, TOO_MANY).optional(),
};

/** Ids of the newest items, of pending replies, and of what a confirmation showed. */
const SEEN_REQUEST_MAX = 100;
const seenInput = z.array(z.uuid()).max(SEEN_REQUEST_MAX);
/** Maximum number of saved replies that are counted for one reply. */
const SAVED_REPLIES_MAX = 20;
const savedReplyIds = z.array(z.uuid()).max(SAVED_REPLIES_MAX);
const draftVersion = z.int().min(0).max(1_000_000_000);
const draftCopies = z.array(addressInput).max(2 * COPIES_MAX);

/** Messages to a contact. */
export const composerScreens = screenRouter({
  reply: agentProcedure
    .meta({ names: { conversationId: 'conversation', suggestedId: 'suggestedReply' } })
    .input(
      z.object({
        conversationId: z.uuid(),
        id: z.uuid(),
        content: textInput(REPLY_MAX_LENGTH, 'reply'),
        formatted: formattedInput.nullish(),
        answers: addressInput.optional(),
        solves: z.boolean().optional(),
        sendAt: z.coerce.date().optional(),
        seen: seenInput.optional(),
        savedReplyIds: savedReplyIds.optional(),
        draftVersion: draftVersion.optional(),
        suggestedId: z.uuid().optional(),
        ...enclosuresShape,
      }),
    )
    .mutation(
      ({ ctx: { workspace, user }, input }): Promise<ScheduledReply> =>
        scheduleReply({ workspaceId: workspace.id, author: user, ...input }),
    ),
  cancelReply: agentProcedure
    .meta({ names: { id: 'undoneReply' } })
    .input(z.object({ id: z.uuid(), toDraft: z.boolean().default(false) }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      cancelReply({ workspaceId: workspace.id, by: user, ...input }),
    ),
  /** `sendAt`: null sends the reply now. */
  rescheduleReply: agentProcedure
    .meta({ names: { id: 'pendingReply' } })
    .input(z.object({ id: z.uuid(), sendAt: z.coerce.date().nullable(), seen: seenInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      rescheduleReply({ workspaceId: workspace.id, by: user, ...input }),
    ),
  /** Stores the draft that teammates share, unless another one has changed it since `version`. */
  saveDraft: agentProcedure
    .meta({ names: { conversationId: 'conversation' } })
    .input(
      z.object({
        conversationId: z.uuid(),
        version: draftVersion,
        content: textInput(REPLY_MAX_LENGTH, 'reply'),
        formatted: formattedInput.nullish(),
        answers: addressInput.nullable(),
        copies: z.object({ cc: draftCopies, bcc: draftCopies }).nullable(),
        files: z.array(uploadedFileShape).max(ATTACHMENTS_MAX, TOO_MANY),
        savedReplyIds,
      }),
    )
    .mutation(({ ctx: { workspace, user }, input }) =>
      saveDraft({ workspaceId: workspace.id, author: user, ...input }),
    ),
  takeSuggested: agentProcedure
    .meta({ names: { id: 'suggestedReply' } })
    .input(z.object({ id: z.uuid() }))
    .mutation(({ ctx: { workspace }, input: { id } }) =>
      takeSuggestedReply({ workspaceId: workspace.id, id }),
    ),
  templates: agentProcedure
    .meta({ names: { conversationId: 'conversation' } })
    .input(z.object({ conversationId: z.uuid() }))
    .query(
      ({ ctx: { workspace }, input }): Promise<TemplateView[]> =>
        listTemplates({ workspaceId: workspace.id, ...input }),
    ),
  sendTemplate: agentProcedure
    .meta({ names: { conversationId: 'conversation' } })
    .input(
      z.object({
        conversationId: z.uuid(),
        id: attemptId,
        name: lineInput,
        language: lineInput,
        values: textsInput({ max: 1_024, namesMax: 100 }),
      }),
    )
    .mutation(({ ctx: { workspace, user }, input }) =>
      insertOnce('messages', { workspaceId: workspace.id, userId: user.id, id: input.id }, () =>
        sendTemplate({ workspaceId: workspace.id, by: user, ...input }),
      ),
    ),
  forward: agentProcedure
    .meta({ names: { conversationId: 'conversation', messageId: 'message' } })
    .input(
      z.object({
        conversationId: z.uuid(),
        messageId: z.uuid(),
        id: attemptId,
        to: addressInput,
        note: textInput(REPLY_MAX_LENGTH),
      }),
    )
    .mutation(({ ctx: { workspace, user, actor }, input }) =>
      insertOnce('messages', { workspaceId: workspace.id, userId: user.id, id: input.id }, () =>
        forwardMessage({ workspaceId: workspace.id, actor, ...input }),
      ),
    ),
  resend: agentProcedure
    .meta({ names: { conversationId: 'conversation', messageId: 'message' } })
    .input(z.object({ conversationId: z.uuid(), messageId: z.uuid() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      resendMessage({ workspaceId: workspace.id, by: user, ...input }),
    ),
  dismissFailure: agentProcedure
    .meta({ names: { conversationId: 'conversation', messageId: 'message' } })
    .input(z.object({ conversationId: z.uuid(), messageId: z.uuid(), isDismissed: z.boolean() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      dismissFailure({ workspaceId: workspace.id, by: user, ...input }),
    ),
});

/** Workflow commands. */
export const commandsScreens = screenRouter({
  run: agentProcedure
    .meta({ names: { conversationId: 'conversation' } })
    .input(
      z.object({
        conversationId: keyInput,
        id: attemptId,
        command: lineInput,
        arguments: textInput(ARGUMENTS_MAX_LENGTH, 'details'),
      }),
    )
    .mutation(async ({ ctx: { workspace, user }, input }) => {
      const which = { workspaceId: workspace.id, userId: user.id, id: input.id };
      await insertOnce('command_runs', which, () =>
        runCommand({ workspaceId: workspace.id, operatorId: user.id, ...input }),
      );
      return { runId: input.id };
    }),
  state: screenProcedure
    .meta({ names: { runId: 'run' } })
    .input(z.object({ runId: z.uuid() }))
    .query(({ ctx: { workspace }, input: { runId } }) =>
      readRun(db(), { workspaceId: workspace.id, id: runId }),
    ),
});
