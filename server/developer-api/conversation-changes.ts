import { z } from 'zod';
import { CONVERSATION } from '#server/api/check-record.ts';
import { pathParameter } from '#server/contract/fields.ts';
import { noteSchema, replySchema } from '#server/contract/record-schemas.ts';
import { writePlanned } from '#server/core/database/planned.ts';
import { sql } from '#server/core/database/sql.ts';
import { Refusal } from '#server/core/errors.ts';
import {
  changesOf,
  mergeInput,
  newConversationBody,
  noteInput,
  removedTagInput,
  replyInput,
  tagsInput,
  UPDATED_CONVERSATION,
  updateInput,
} from '#server/developer-api/conversation-input.ts';
import { conversationDetailsSchema, tagSchema } from '#server/developer-api/conversation-schemas.ts';
import { pageSchema } from '#server/developer-api/pages.ts';
import {
  developer,
  developerProcedure,
  programActor,
  refuseUnknown,
  writingActor,
} from '#server/developer-api/procedures.ts';
import { addNote, notesProblem } from '#server/inbox/conversations/add-note.ts';
import { newDetails, readConversation } from '#server/inbox/conversations/list-by-change.ts';
import { mergeConversations } from '#server/inbox/conversations/merge-conversations.ts';
import { addTags, removeTags } from '#server/inbox/conversations/tags.ts';
import { planUpdate } from '#server/inbox/conversations/update-conversation.ts';
import { createConversation } from '#server/inbox/messages/create-conversation.ts';
import { replyRecord } from '#server/inbox/messages/reply-record.ts';
import { saveEnclosedReply } from '#server/inbox/messages/save-enclosed-reply.ts';
import { deliverReply } from '#server/inbox/messages/send-reply.ts';

const UNKNOWN = 'The workspace has no conversation with this id.';
const READ_ONLY = 'or the conversation was merged into another one.';

/** Checks the plan before the record and the values (docs/rulings.md 2.1). */
const needsNotes = developer.middleware(({ ctx: { program }, next }) => {
  const problem = notesProblem(program.workspace.plan);
  if (problem) throw new Refusal('plan', problem);
  return next();
});

export const conversationChanges = developer.router({
  create: developerProcedure('write_conversations', {
    method: 'POST',
    path: '/conversations',
    operationId: 'createConversation',
    tags: ['Conversations'],
    summary: 'Create a conversation',
    description:
      'Starts an email conversation from the workspace’s default mailbox with a contact, who is created when the address ' +
      'is new. It is assigned to the author, if there is one. The AI agent does not answer in it. Without a verified ' +
      'email domain the message is saved but not sent: see the `send_status` of the message.',
    errorResponses: {
      422: 'A value is missing or not valid, or an address is the workspace’s own or a teammate’s.',
    },
  })
    .input(newConversationBody)
    .output(conversationDetailsSchema)
    .mutation(({ ctx: { program, write }, input: { to_email, to_name, author_id, ...written } }) =>
      write(async (tx) => {
        const planned = await createConversation(tx, {
          workspaceId: program.workspace.id,
          actor: await writingActor(tx, program, author_id),
          toEmail: to_email,
          toName: to_name,
          ...written,
        });
        return { ...planned, result: newDetails(planned.result) };
      }),
    ),

  update: developerProcedure('write_conversations', {
    method: 'PATCH',
    path: '/conversations/{id}',
    operationId: 'updateConversation',
    tags: ['Conversations'],
    summary: 'Update a conversation',
    description:
      'Changes only the fields that are sent with a value, all or nothing. At least one must be sent. Each actual change ' +
      'emits its event. Sending the current value changes nothing.',
    errorResponses: { 404: UNKNOWN, 422: `No field was sent, a value is not possible, ${READ_ONLY}` },
  })
    .use(refuseUnknown(updateInput, UPDATED_CONVERSATION))
    .input(updateInput)
    .output(conversationDetailsSchema)
    .mutation(({ ctx: { program, transact }, input }) =>
      transact(async (tx) => {
        const which = { workspaceId: program.workspace.id, id: input.id };
        const change = { ...which, actor: programActor(program), changes: changesOf(input) };
        await writePlanned(tx, await planUpdate(tx, change));
        return readConversation(tx, which);
      }),
    ),

  merge: developerProcedure('write_conversations', {
    method: 'POST',
    path: '/conversations/{id}/merge',
    operationId: 'mergeConversation',
    tags: ['Conversations'],
    summary: 'Merge a conversation into another one',
    description:
      'The conversation becomes read-only, and its messages are shown in the conversation `into_id`. Teammates can undo it.',
    successDescription: 'The conversation that remains.',
    errorResponses: {
      404: 'The workspace has no conversation with one of the ids.',
      422: 'The other conversation is not given, both are the same, or they cannot be merged.',
    },
  })
    .use(refuseUnknown(mergeInput, CONVERSATION))
    .input(mergeInput)
    .output(conversationDetailsSchema)
    .mutation(({ ctx: { program, transact }, input: { id, into_id: intoId } }) =>
      transact(async (tx) => {
        const workspaceId = program.workspace.id;
        const actor = programActor(program);
        await mergeConversations(tx, { workspaceId, id, intoId, actor });
        return readConversation(tx, { workspaceId, id: intoId });
      }),
    ),

  reply: developerProcedure('write_conversations', {
    method: 'POST',
    path: '/conversations/{id}/replies',
    operationId: 'sendReply',
    tags: ['Messages'],
    summary: 'Send a reply',
    description:
      'Replies to the contact on the conversation’s own channel, immediately, in the name of the author or else of the ' +
      'workspace. The reply is saved even if it could not be delivered: see `send_status` and `delivery_error`. An ' +
      'unassigned conversation is assigned to the author when the workspace assigns on reply, and the AI agent stops ' +
      'answering in it. The status stays.',
    errorResponses: {
      404: UNKNOWN,
      422: `The content is missing or too long, a copy, a file or the author is not valid, ${READ_ONLY}`,
    },
  })
    .use(refuseUnknown(replyInput, CONVERSATION))
    .input(replyInput)
    .output(replySchema)
    .mutation(async ({ ctx: { program, write }, input: { author_id, attachment_ids, ...written } }) => {
      const saved = await write(async (tx) => {
        const actor = await writingActor(tx, program, author_id);
        const planned = await saveEnclosedReply(tx, {
          workspaceId: program.workspace.id,
          actor,
          attachments: attachment_ids,
          ...written,
        });
        const { result } = planned;
        return { ...planned, response: replyRecord(result), isFinal: result.sendStatus !== 'sending' };
      });
      return deliverReply(saved);
    }),

  note: developerProcedure('write_conversations', {
    method: 'POST',
    path: '/conversations/{id}/notes',
    operationId: 'addNote',
    tags: ['Messages'],
    summary: 'Add an internal note',
    description:
      'Adds a note that the contact never sees. The assignee and the teammates mentioned as @name or @email are ' +
      'notified, never the author.',
    errorResponses: {
      402: 'The plan does not include internal notes.',
      404: UNKNOWN,
      422: `The content is missing or too long, the author is not valid, ${READ_ONLY}`,
    },
  })
    .use(needsNotes)
    .use(refuseUnknown(noteInput, CONVERSATION))
    .input(noteInput)
    .output(noteSchema)
    .mutation(({ ctx: { program, write }, input: { id, content, author_id } }) =>
      write(async (tx) => {
        const actor = await writingActor(tx, program, author_id);
        return addNote(tx, { workspaceId: program.workspace.id, id, actor, content });
      }),
    ),

  tags: developerProcedure('read', {
    method: 'GET',
    path: '/conversations/{id}/tags',
    operationId: 'listConversationTags',
    tags: ['Conversations'],
    summary: 'List the tags of a conversation',
    description: 'All tags, in the order in which they were added.',
    successDescription: 'The tags, on one page.',
    errorResponses: { 404: UNKNOWN },
  })
    .input(z.object({ id: pathParameter('The id of the conversation.') }))
    .output(pageSchema(tagSchema, { id: 'ConversationTagPage', records: 'tags' }))
    .query(async ({ ctx: { program }, input: { id } }) => {
      const { tags } = await readConversation(sql(), { workspaceId: program.workspace.id, id });
      return { data: tags.map((name) => ({ name })), next_cursor: null };
    }),

  addTags: developerProcedure('write_conversations', {
    method: 'POST',
    path: '/conversations/{id}/tags',
    operationId: 'addTags',
    tags: ['Conversations'],
    summary: 'Add tags to a conversation',
    description:
      'Adds tags and keeps the existing ones. An existing tag, in upper or lower case, is skipped and keeps its ' +
      'spelling. Emits `conversation.tagged` with the new tags.',
    successDescription: 'The conversation.',
    errorResponses: {
      404: UNKNOWN,
      422: `There are no tags, too many, or one that is too long, ${READ_ONLY}`,
    },
  })
    .use(refuseUnknown(tagsInput, CONVERSATION))
    .input(tagsInput)
    .output(conversationDetailsSchema)
    .mutation(({ ctx: { program, transact }, input: { id, tags } }) =>
      transact(async (tx) => {
        const which = { workspaceId: program.workspace.id, id };
        await writePlanned(tx, await addTags(tx, { ...which, actor: programActor(program), tags }));
        return readConversation(tx, which);
      }),
    ),

  removeTag: developerProcedure('write_conversations', {
    method: 'DELETE',
    path: '/conversations/{id}/tags/{tag}',
    operationId: 'removeTag',
    tags: ['Conversations'],
    summary: 'Remove a tag from a conversation',
    description:
      'Removes the tag, in upper or lower case. A tag that the conversation does not have changes nothing.',
    successDescription: 'The conversation.',
    errorResponses: { 404: UNKNOWN, 422: `The tag is too long, ${READ_ONLY}` },
  })
    .use(refuseUnknown(removedTagInput, CONVERSATION))
    .input(removedTagInput)
    .output(conversationDetailsSchema)
    .mutation(({ ctx: { program, transact }, input: { id, tag } }) =>
      transact(async (tx) => {
        const which = { workspaceId: program.workspace.id, id };
        await writePlanned(tx, await removeTags(tx, { ...which, actor: programActor(program), tags: [tag] }));
        return readConversation(tx, which);
      }),
    ),
});
