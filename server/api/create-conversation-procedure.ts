import { apiProcedure } from '#server/api/procedures.ts';
import { workflowActor } from '#server/api/workflow-actor.ts';
import { newConversationInput } from '#server/contract/new-conversation-input.ts';
import { conversationSchema } from '#server/contract/record-schemas.ts';
import { createConversation } from '#server/inbox/messages/create-conversation.ts';

/** POST /conversations (spec.md §4.2). */
export const createConversationProcedure = apiProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/conversations',
      operationId: 'createConversation',
      tags: ['Conversations'],
      summary: 'Create a conversation',
      description:
        'Starts an email conversation from the workspace’s default mailbox with a contact, who is created when ' +
        'the address is new, and assigns it to the connecting teammate. The AI agent stays out of it. Without a ' +
        'verified email domain the message is saved but not sent, and the response does not say so.',
      errorResponses: {
        422: 'A value is missing or not valid, or the address is the workspace’s own or a teammate’s.',
      },
    },
  })
  .input(newConversationInput)
  .output(conversationSchema)
  .mutation(({ ctx: { caller }, input }) =>
    createConversation({
      workspaceId: caller.workspace.id,
      actor: workflowActor(caller),
      toEmail: input.to_email,
      toName: input.to_name,
      subject: input.subject,
      content: input.content,
    }),
  );
