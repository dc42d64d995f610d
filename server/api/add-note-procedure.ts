import { z } from 'zod';
import { apiMiddleware, apiProcedure, refuseUnknown } from '#server/api/procedures.ts';
import { workflowActor } from '#server/api/workflow-actor.ts';
import { pathParameter, requiredContent } from '#server/contract/fields.ts';
import { noteSchema } from '#server/contract/record-schemas.ts';
import { Refusal } from '#server/core/errors.ts';
import { addNote } from '#server/inbox/conversations/add-note.ts';
import { conversationExists } from '#server/inbox/conversations/conversation-exists.ts';
import { NOTE_MAX_LENGTH, notesProblem } from '#server/inbox/conversations/note-terms.ts';

/** Refused before the record or the values are looked at (decisions: requests and errors, 1). */
const needsNotes = apiMiddleware(({ ctx: { caller }, next }) => {
  const problem = notesProblem(caller.workspace.plan);
  if (problem) throw new Refusal('plan', problem);
  return next();
});

/** POST /conversations/{id}/notes (spec.md §4.2). */
export const addNoteProcedure = apiProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/conversations/{id}/notes',
      operationId: 'addNote',
      tags: ['Conversations'],
      summary: 'Add an internal note',
      description:
        'Adds a note of the connecting teammate that the contact never sees. The assignee and the teammates ' +
        'mentioned as @name or @email are notified, never the author.',
      errorResponses: {
        402: 'The plan does not include internal notes.',
        404: 'The workspace has no conversation with this id.',
        422: 'The content is missing or too long, or the conversation was merged into another one.',
      },
    },
  })
  .use(needsNotes)
  .use(refuseUnknown('The conversation', conversationExists))
  .input(
    z.object({
      id: pathParameter('The id of the conversation.'),
      content: requiredContent({
        label: 'content',
        max: NOTE_MAX_LENGTH,
        description: 'The text of the note.',
        example: '@Olivia Owen please have a look at this refund.',
      }),
    }),
  )
  .output(noteSchema)
  .mutation(({ ctx: { caller }, input: { id, content } }) =>
    addNote({ workspaceId: caller.workspace.id, id, actor: workflowActor(caller), content }),
  );
