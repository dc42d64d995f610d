import { z } from 'zod';
import { apiProcedure } from '#server/api/procedures.ts';
import { optionalChoice, queryText } from '#server/contract/fields.ts';
import { queryEmail } from '#server/contract/query-email.ts';
import { conversationSchema } from '#server/contract/record-schemas.ts';
import { ConversationStatus } from '#server/generated/prisma/enums.ts';
import { findConversation, findConversationsOf } from '#server/inbox/conversations/search-conversations.ts';

/** GET /conversations/search (spec.md §4.2). */
export const searchConversationsProcedure = apiProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/conversations/search',
      operationId: 'searchConversations',
      tags: ['Conversations'],
      summary: 'Find conversations',
      description:
        'The conversation with this id, or the newest conversations of the contact with this email address, at most ' +
        '10, in one status if one is given. Merged conversations are never found. Without either the result is empty.',
      errorResponses: { 422: 'A parameter is too long, or the status is not one of the four.' },
    },
  })
  .input(
    z.object({
      id: queryText({
        label: 'conversation id (id)',
        max: Number.POSITIVE_INFINITY,
        description:
          'The id of a conversation. Takes precedence over the email address; an invalid id finds nothing.',
        example: '019f5c3e-7a10-7c3a-9d52-3f0b8e6a4d21',
      }),
      contact_email: queryEmail({
        label: 'contact’s email address (contact_email)',
        max: 255,
        description: 'The email address of a contact, in upper or lower case.',
        example: 'ada@engines.example',
      }),
      status: optionalChoice({
        label: 'status',
        values: Object.values(ConversationStatus),
        description: 'With an email address: only conversations now in this status.',
        inQuery: true,
      }),
    }),
  )
  .output(z.array(conversationSchema))
  .query(async ({ ctx: { caller }, input: { id, contact_email: email, status } }) => {
    const workspaceId = caller.workspace.id;
    if (id !== undefined) return findConversation({ workspaceId, id });
    return email ? findConversationsOf({ workspaceId, email, status }) : [];
  });
