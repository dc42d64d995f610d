import { z } from 'zod';
import { apiProcedure, refuseUnknown } from '#server/api/procedures.ts';
import { workflowActor } from '#server/api/workflow-actor.ts';
import { pathParameter, requiredContent } from '#server/contract/fields.ts';
import { replySchema } from '#server/contract/record-schemas.ts';
import { conversationExists } from '#server/inbox/conversations/conversation-exists.ts';
import { REPLY_MAX_LENGTH } from '#server/inbox/messages/save-reply.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';

/** POST /conversations/{id}/replies (spec.md §4.2). */
export const sendReplyProcedure = apiProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/conversations/{id}/replies',
      operationId: 'sendReply',
      tags: ['Conversations'],
      summary: 'Send a reply',
      description:
        'Replies to the contact on the conversation’s own channel as the connecting teammate, at once. The reply is ' +
        'saved even when it could not be delivered; send_status and delivery_error say so. An unassigned ' +
        'conversation is assigned to the teammate when the workspace assigns on reply, and the AI agent stops ' +
        'answering in it. The status stays.',
      errorResponses: {
        404: 'The workspace has no conversation with this id.',
        422: 'The content is missing or too long, or the conversation was merged into another one.',
      },
    },
  })
  .use(refuseUnknown('The conversation', conversationExists))
  .input(
    z.object({
      id: pathParameter('The id of the conversation.'),
      content: requiredContent({
        label: 'content',
        max: REPLY_MAX_LENGTH,
        description: 'The text of the reply.',
        example: 'Hello Ada, it left our warehouse this morning.',
      }),
    }),
  )
  .output(replySchema)
  .mutation(({ ctx: { caller }, input: { id, content } }) =>
    sendReply({ workspaceId: caller.workspace.id, id, actor: workflowActor(caller), content }),
  );
