import { z } from 'zod';
import { idField, textField, timestampField } from '#server/contract/record-schemas.ts';
import { sql } from '#server/core/database/sql.ts';
import { pageOf, pageQuery, pageSchema } from '#server/developer-api/pages.ts';
import { developer, developerProcedure } from '#server/developer-api/procedures.ts';
import { listSharedReplies } from '#server/inbox/saved-replies/list-shared-replies.ts';

const savedReplySchema = z
  .object({
    id: idField('The id of the saved reply.'),
    name: textField('Its name.'),
    folder: textField('Its folder. Empty: none.'),
    content: textField('Its text, with variables such as `{{contact.first_name}}`.'),
    updated_at: timestampField('When it was last changed.'),
  })
  .meta({
    id: 'SavedReply',
    description: 'A text for replies that the workspace shares.',
    examples: [
      {
        id: '01a4d7f3-7b81-7283-8485-9e0f1a2b3c4f',
        name: 'Parcel is on its way',
        folder: 'Shipping',
        content: 'Hello {{contact.first_name}}, your parcel left our warehouse.',
        updated_at: '2026-11-21T06:33:02.114+00:00',
      },
    ],
  });

export const savedReplyProcedures = developer.router({
  list: developerProcedure('read', {
    method: 'GET',
    path: '/saved-replies',
    operationId: 'listSavedReplies',
    tags: ['Conversations'],
    summary: 'List saved replies',
    description: 'The saved replies that the workspace shares, oldest first. Private ones are not listed.',
    successDescription: 'A page of saved replies.',
    errorResponses: { 422: 'A parameter is not valid.' },
  })
    .input(z.object(pageQuery))
    .output(pageSchema(savedReplySchema, { id: 'SavedReplyPage', records: 'saved replies' }))
    .query(async ({ ctx: { program }, input: { limit, cursor } }) => {
      const which = { workspaceId: program.workspace.id, after: cursor ?? null, limit: limit + 1 };
      return pageOf(await listSharedReplies(sql(), which), limit);
    }),
});
