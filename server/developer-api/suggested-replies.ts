import { z } from 'zod';
import { CONVERSATION } from '#server/api/check-record.ts';
import { pathParameter, requiredContent } from '#server/contract/fields.ts';
import { exampleConversation } from '#server/contract/record-examples.ts';
import { idField, textField, timestampField, urlField } from '#server/contract/record-schemas.ts';
import {
  developer,
  developerProcedure,
  programActor,
  refuseUnknown,
} from '#server/developer-api/procedures.ts';
import { REPLY_MAX_LENGTH } from '#server/inbox/messages/save-reply.ts';
import { REASON_MAX_LENGTH, suggestReply } from '#server/inbox/messages/suggested-replies.ts';

const suggestInput = z.object({
  id: pathParameter('The id of the conversation.'),
  content: requiredContent({
    label: 'content',
    max: REPLY_MAX_LENGTH,
    description: 'The text of the suggested reply.',
    example: 'Hello Ada, it left our warehouse this morning.',
  }),
  reason: requiredContent({
    label: 'reason',
    max: REASON_MAX_LENGTH,
    description: 'Why the program suggests it. Teammates see it beside the text, the contact never does.',
    example: 'The carrier has scanned the parcel at 08:12.',
  }),
});

const suggestedReplySchema = z
  .object({
    id: idField('The id of the suggestion.'),
    conversation_id: idField('The conversation it is for.'),
    content: textField('The text of the suggested reply.'),
    reason: textField('Why the program suggests it.'),
    created_at: timestampField('When it was created.'),
    url: urlField('The conversation in the inbox.'),
  })
  .meta({
    id: 'SuggestedReply',
    description: 'A reply that waits for a teammate to send, edit or dismiss it.',
    examples: [
      {
        id: '01a4d7f3-6a70-7182-8384-9e0f1a2b3c4e',
        conversation_id: exampleConversation.id,
        content: 'Hello Ada, it left our warehouse this morning.',
        reason: 'The carrier has scanned the parcel at 08:12.',
        created_at: '2026-11-21T06:33:02.114+00:00',
        url: exampleConversation.url,
      },
    ],
  });

export const suggestedReplyProcedures = developer.router({
  create: developerProcedure('suggest_replies', {
    method: 'POST',
    path: '/conversations/{id}/suggested-replies',
    operationId: 'suggestReply',
    tags: ['Conversations'],
    summary: 'Suggest a reply',
    description:
      'Shows teammates a draft at the composer of the conversation. Nothing is sent until a teammate sends it; they can ' +
      'also edit or dismiss it. A program has one suggestion in a conversation: a new one replaces it.',
    errorResponses: {
      404: 'The workspace has no conversation with this id.',
      422: 'The content or the reason is missing or too long, or the conversation was merged into another one.',
    },
  })
    .use(refuseUnknown(suggestInput, CONVERSATION))
    .input(suggestInput)
    .output(suggestedReplySchema)
    .mutation(({ ctx: { program, write }, input }) =>
      write((tx) =>
        suggestReply(tx, { workspaceId: program.workspace.id, actor: programActor(program), ...input }),
      ),
    ),
});
