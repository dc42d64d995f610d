import { z } from 'zod';
import { workflowActor } from '#server/api/workflow-actor.ts';
import { optionalText, requiredContent, requiredEmail, requiredText } from '#server/contract/fields.ts';
import { conversationSchema } from '#server/contract/record-schemas.ts';
import { createConversation } from '#server/inbox/messages/create-conversation.ts';
import { apiProcedure } from '#server/screens/procedures.ts';

/** What starts a conversation: the same for the platform and for the form in the inbox. */
export const newConversationInput = z.object({
  to_email: requiredEmail({
    label: 'recipient’s email address (to_email)',
    max: 254,
    description: 'The address to write to: not one of the workspace’s own addresses and not a teammate’s.',
    example: 'ada@engines.example',
  }),
  to_name: optionalText({
    label: 'recipient’s name (to_name)',
    max: 160,
    description: 'The name, used when the contact is new.',
    example: 'Ada Lovelace',
  }),
  subject: requiredText({
    label: 'subject',
    max: 200,
    description: 'The subject of the email.',
    example: 'Your order',
  }),
  content: requiredContent({
    label: 'content',
    max: 8000,
    description: 'The text of the email.',
    example: 'Hello Ada, your order is on its way.',
  }),
});

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
