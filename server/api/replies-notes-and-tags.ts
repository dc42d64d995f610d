import { z } from 'zod';
import { CONVERSATION } from '#server/api/check-record.ts';
import { api, apiProcedure, refuseUnknown, workflowActor } from '#server/api/procedures.ts';
import { pathParameter, requiredContent } from '#server/contract/fields.ts';
import { conversationSchema, noteSchema, replySchema } from '#server/contract/record-schemas.ts';
import { tagList } from '#server/contract/tag-list.ts';
import { Refusal } from '#server/core/errors.ts';
import { addNote, NOTE_MAX_LENGTH, notesProblem } from '#server/inbox/conversations/add-note.ts';
import { addTags } from '#server/inbox/conversations/tags.ts';
import { replyRecord } from '#server/inbox/messages/reply-record.ts';
import { REPLY_MAX_LENGTH, saveReply } from '#server/inbox/messages/save-reply.ts';
import { deliverReply } from '#server/inbox/messages/send-reply.ts';

const id = pathParameter('The id of the conversation.');

const replyInput = z.object({
  id,
  content: requiredContent({
    label: 'content',
    max: REPLY_MAX_LENGTH,
    description: 'The text of the reply.',
    example: 'Hello Ada, it left our warehouse this morning.',
  }),
});

const noteInput = z.object({
  id,
  content: requiredContent({
    label: 'content',
    max: NOTE_MAX_LENGTH,
    description: 'The text of the note.',
    example: '@Olivia Owen please have a look at this refund.',
  }),
});

const tagsInput = z.object({ id, tags: tagList });

/** POST /conversations/{id}/replies (docs/spec.md §4.2). */
export const sendReplyProcedure = apiProcedure({
  method: 'POST',
  path: '/conversations/{id}/replies',
  operationId: 'sendReply',
  tags: ['Conversations'],
  summary: 'Send a reply',
  description:
    'Replies to the contact on the conversation’s own channel as the connecting teammate, immediately. ' +
    'The reply is saved even if it could not be delivered; see send_status and delivery_error. An ' +
    'unassigned ' +
    'conversation is assigned to the teammate when the workspace assigns on reply, and the AI agent stops ' +
    'answering in it. The status stays.',
  errorResponses: {
    404: 'The workspace has no conversation with this id.',
    422: 'The content is missing or too long, or the conversation was merged into another one.',
  },
})
  .use(refuseUnknown(replyInput, CONVERSATION))
  .input(replyInput)
  .output(replySchema)
  .mutation(async ({ ctx: { caller, write }, input: { id, content } }) => {
    const draft = { workspaceId: caller.workspace.id, id, actor: workflowActor(caller), content };
    const saved = await write(async (tx) => {
      const planned = await saveReply(tx, { ...draft, sends: 'caller' });
      const { result } = planned;
      return { ...planned, response: replyRecord(result), isFinal: result.sendStatus !== 'sending' };
    });
    return deliverReply(saved);
  });

/** Checks the plan before the record and the values (docs/rulings.md 2.1). */
const needsNotes = api.middleware(({ ctx: { caller }, next }) => {
  const problem = notesProblem(caller.workspace.plan);
  if (problem) throw new Refusal('plan', problem);
  return next();
});

/** POST /conversations/{id}/notes (docs/spec.md §4.2). */
export const addNoteProcedure = apiProcedure({
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
})
  .use(needsNotes)
  .use(refuseUnknown(noteInput, CONVERSATION))
  .input(noteInput)
  .output(noteSchema)
  .mutation(({ ctx: { caller, write }, input: { id, content } }) =>
    write((tx) =>
      addNote(tx, { workspaceId: caller.workspace.id, id, actor: workflowActor(caller), content }),
    ),
  );

/** POST /conversations/{id}/tags (docs/spec.md §4.2). */
export const addTagsProcedure = apiProcedure({
  method: 'POST',
  path: '/conversations/{id}/tags',
  operationId: 'addTags',
  tags: ['Conversations'],
  summary: 'Add tags to a conversation',
  description:
    'Adds tags and keeps the existing ones. An existing tag, in upper or lower case, is skipped and ' +
    'keeps its spelling. Emits conversation.tagged with the new tags.',
  errorResponses: {
    404: 'The workspace has no conversation with this id.',
    422: 'There are no tags, too many, or one that is too long; or the conversation was merged into another one.',
  },
})
  .use(refuseUnknown(tagsInput, CONVERSATION))
  .input(tagsInput)
  .output(conversationSchema)
  .mutation(({ ctx: { caller, write }, input: { id, tags } }) =>
    write((tx) => addTags(tx, { workspaceId: caller.workspace.id, id, actor: workflowActor(caller), tags })),
  );
