import { z } from 'zod';
import { apiProcedure, refuseUnknown } from '#server/api/procedures.ts';
import { workflowActor } from '#server/api/workflow-actor.ts';
import { pathParameter } from '#server/contract/fields.ts';
import { conversationSchema } from '#server/contract/record-schemas.ts';
import { tagList } from '#server/contract/tag-list.ts';
import { conversationExists } from '#server/inbox/conversations/conversation-exists.ts';
import { addTags } from '#server/inbox/conversations/tags.ts';

/** POST /conversations/{id}/tags (spec.md §4.2). */
export const addTagsProcedure = apiProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/conversations/{id}/tags',
      operationId: 'addTags',
      tags: ['Conversations'],
      summary: 'Add tags to a conversation',
      description:
        'Adds tags and keeps those already there; a tag that is there, in upper or lower case, is skipped and keeps ' +
        'its spelling. Emits conversation.tagged with the new ones.',
      errorResponses: {
        404: 'The workspace has no conversation with this id.',
        422: 'There are no tags, too many, or one that is too long; or the conversation was merged into another one.',
      },
    },
  })
  .use(refuseUnknown('The conversation', conversationExists))
  .input(z.object({ id: pathParameter('The id of the conversation.'), tags: tagList }))
  .output(conversationSchema)
  .mutation(({ ctx: { caller }, input: { id, tags } }) =>
    addTags({ workspaceId: caller.workspace.id, id, actor: workflowActor(caller), tags }),
  );
