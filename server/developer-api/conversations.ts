import { z } from 'zod';
import { CONVERSATION } from '#server/api/check-record.ts';
import { optionalChoice, pathParameter, queryText, requiredText } from '#server/contract/fields.ts';
import { exampleContact, exampleTeam } from '#server/contract/record-examples.ts';
import { sql } from '#server/core/database/sql.ts';
import { conversationChanges } from '#server/developer-api/conversation-changes.ts';
import { orNull } from '#server/developer-api/conversation-input.ts';
import {
  conversationDetailsSchema,
  messageDetailsSchema,
  noteDetailsSchema,
} from '#server/developer-api/conversation-schemas.ts';
import {
  encodeCursor,
  pageOf,
  pageQuery,
  pageSchema,
  updatedSinceQuery,
} from '#server/developer-api/pages.ts';
import { developer, developerProcedure, refuseUnknown } from '#server/developer-api/procedures.ts';
import { Channel, ConversationStatus } from '#server/generated/prisma/enums.ts';
import { listConversationsByChange, readConversation } from '#server/inbox/conversations/list-by-change.ts';
import { searchConversations } from '#server/inbox/lists/search-conversations.ts';
import { listMessages, listNotes } from '#server/inbox/messages/list-messages.ts';

const UNKNOWN = 'The workspace has no conversation with this id.';

/** A query parameter with an id. An invalid one matches nothing. */
const idQuery = (label: string, description: string, example: string) =>
  queryText({ label, max: 60, description, example });

const status = optionalChoice({
  label: 'status',
  values: Object.values(ConversationStatus),
  description: 'Only conversations in this status.',
  inQuery: true,
});

const searchQuery = z.object({
  query: requiredText({
    label: 'words (query)',
    max: 200,
    description: 'The words to find. The last one may be incomplete.',
    example: 'refund order 1042',
  }),
  status,
  ...pageQuery,
});

const conversationsQuery = z.object({
  status,
  assignee_id: idQuery(
    'assignee (assignee_id)',
    'Only conversations of this teammate, or `none` for those of nobody.',
    'none',
  ),
  team_id: idQuery('team (team_id)', 'Only conversations of this team, or `none`.', exampleTeam.id),
  channel: optionalChoice({
    label: 'channel',
    values: Object.values(Channel),
    description: 'Only conversations on this channel.',
    inQuery: true,
  }),
  tag: queryText({
    label: 'tag',
    max: 40,
    description: 'Only conversations with this tag, in upper or lower case.',
    example: 'shipping',
  }),
  contact_id: idQuery('contact (contact_id)', 'Only conversations with this contact.', exampleContact.id),
  updated_since: updatedSinceQuery('conversations'),
  order: optionalChoice({
    label: 'order',
    values: ['asc', 'desc'],
    description: 'The order by the last change: `asc`, the default, is oldest first, `desc` newest first.',
    inQuery: true,
  }),
  ...pageQuery,
});

const conversationPage = pageSchema(conversationDetailsSchema, {
  id: 'ConversationPage',
  records: 'conversations',
});

const conversationId = { id: pathParameter('The id of the conversation.') };
const recordsQuery = z.object({ ...conversationId, ...pageQuery });
const messagesQuery = recordsQuery.extend({
  order: optionalChoice({
    label: 'order',
    values: ['asc', 'desc'],
    description: 'The order by time: `asc`, the default, is oldest first, `desc` newest first.',
    inQuery: true,
  }),
});

/** Reading conversations. */
const conversationReads = developer.router({
  list: developerProcedure('read', {
    method: 'GET',
    path: '/conversations',
    operationId: 'listConversations',
    tags: ['Conversations'],
    summary: 'List conversations',
    description:
      'The conversations of the workspace by their last change, without merged, spam and deleted ones. With several ' +
      'parameters a conversation must match all of them. With `order=asc`, a conversation that changes while you read ' +
      'page by page moves to the end. Read on until `next_cursor` is `null`: of a rare combination of parameters, a page ' +
      'may have fewer conversations than `limit`, or none, although there are more.',
    successDescription: 'A page of conversations.',
    errorResponses: { 422: 'A parameter is not valid.' },
  })
    .input(conversationsQuery)
    .output(conversationPage)
    .query(async ({ ctx: { program }, input: { limit, cursor, order, ...filter } }) => {
      const { conversations, next } = await listConversationsByChange(sql(), {
        workspaceId: program.workspace.id,
        status: filter.status,
        assigneeId: orNull(filter.assignee_id),
        teamId: orNull(filter.team_id),
        channel: filter.channel,
        tag: filter.tag,
        contactId: filter.contact_id,
        updatedSince: filter.updated_since,
        after: cursor ?? null,
        limit,
        order,
      });
      return { data: conversations, next_cursor: next && encodeCursor(next) };
    }),

  search: developerProcedure('read', {
    method: 'GET',
    path: '/conversations/search',
    operationId: 'searchConversations',
    tags: ['Conversations'],
    summary: 'Search conversations',
    description:
      'The conversations with all of these words, or other forms of them, in the name, address or phone number of the ' +
      'contact, in the subject, in one message or in one note, newest message first. Read on until `next_cursor` is ' +
      '`null`: a page may have fewer conversations than `limit` although there are more.',
    successDescription: 'A page of conversations.',
    errorResponses: { 422: 'The words are missing, or a parameter is not valid.' },
  })
    .input(searchQuery)
    .output(conversationPage)
    .query(async ({ ctx: { program }, input: { query, status, limit, cursor } }) => {
      const { id: workspaceId, searchLanguage: language } = program.workspace;
      const after = cursor ?? null;
      const found = { workspaceId, search: query, language, status, after, limit };
      const { conversations, next } = await searchConversations(sql(), found);
      return { data: conversations, next_cursor: next && encodeCursor(next) };
    }),

  get: developerProcedure('read', {
    method: 'GET',
    path: '/conversations/{id}',
    operationId: 'getConversation',
    tags: ['Conversations'],
    summary: 'Read a conversation',
    description: 'A merged conversation can still be read, and names the one that it was merged into.',
    successDescription: 'The conversation.',
    errorResponses: { 404: UNKNOWN },
  })
    .input(z.object(conversationId))
    .output(conversationDetailsSchema)
    .query(({ ctx: { program }, input: { id } }) =>
      readConversation(sql(), { workspaceId: program.workspace.id, id }),
    ),

  messages: developerProcedure('read', {
    method: 'GET',
    path: '/conversations/{id}/messages',
    operationId: 'listMessages',
    tags: ['Messages'],
    summary: 'List the messages of a conversation',
    description:
      'Oldest first, or newest first with `order=desc`, with those of the conversations that were merged into it.',
    successDescription: 'A page of messages.',
    errorResponses: { 404: UNKNOWN, 422: 'A parameter is not valid.' },
  })
    .use(refuseUnknown(messagesQuery, CONVERSATION))
    .input(messagesQuery)
    .output(pageSchema(messageDetailsSchema, { id: 'MessagePage', records: 'messages' }))
    .query(async ({ ctx: { program }, input: { id, limit, cursor, order } }) => {
      const which = { workspaceId: program.workspace.id, conversationId: id };
      return pageOf(
        await listMessages(sql(), which, { after: cursor ?? null, limit: limit + 1, order }),
        limit,
      );
    }),

  notes: developerProcedure('read', {
    method: 'GET',
    path: '/conversations/{id}/notes',
    operationId: 'listNotes',
    tags: ['Messages'],
    summary: 'List the notes of a conversation',
    description: 'Oldest first, with those of the conversations that were merged into it.',
    successDescription: 'A page of notes.',
    errorResponses: { 404: UNKNOWN, 422: 'A parameter is not valid.' },
  })
    .use(refuseUnknown(recordsQuery, CONVERSATION))
    .input(recordsQuery)
    .output(pageSchema(noteDetailsSchema, { id: 'NotePage', records: 'notes' }))
    .query(async ({ ctx: { program }, input: { id, limit, cursor } }) => {
      const which = { workspaceId: program.workspace.id, conversationId: id };
      return pageOf(await listNotes(sql(), which, { after: cursor ?? null, limit: limit + 1 }), limit);
    }),
});

export const conversationProcedures = developer.mergeRouters(conversationReads, conversationChanges);
