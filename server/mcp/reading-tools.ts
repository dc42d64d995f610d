import { z } from 'zod';
import { Channel, ConversationStatus } from '#server/generated/prisma/enums.ts';
import { readBounded, readTexts } from '#server/mcp/bounded-pages.ts';
import { defineTool, type Tool } from '#server/mcp/tool.ts';
import {
  type ApiContact,
  type ApiConversation,
  type ApiMessage,
  type ApiNote,
  contactSchema,
  conversationSchema,
  markContact,
  markConversation,
  markMessage,
  markNote,
  messageSchema,
  NOTICE,
  namesPage,
  noteSchema,
  untrustedPage,
  untrustedRecord,
} from '#server/mcp/untrusted.ts';

export const CONVERSATION_ID = '019f5c3e-7a10-7c3a-9d52-3f0b8e6a4d21';
const CONTACT_ID = '019f5c3e-7a10-7c3a-9d52-3f0b8e6a4d22';

export const conversationId = z
  .string()
  .max(60)
  .describe('The id of the conversation, from find_conversations.');
const cursor = z
  .string()
  .max(300)
  .optional()
  .describe('The next_cursor of the page before, with the same other arguments.');
const limit = z
  .int()
  .min(1)
  .max(20)
  .optional()
  .describe('Maximum number of records. A page with long texts has fewer.');
const updatedSince = z
  .string()
  .max(60)
  .optional()
  .describe('Only records that changed since then, such as 2026-11-21T06:00:00Z.');

/** Leaves out what was not sent. Numbers become texts, as in a query string. */
function query(fields: Record<string, string | number | undefined>): Record<string, string> {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent.map(([name, value]) => [name, String(value)]));
}

const named = z.object({ id: z.string(), name: z.string() });

export const READING_TOOLS: Tool[] = [
  defineTool({
    name: 'find_conversations',
    title: 'Find conversations',
    description:
      'Lists conversations by their last change, newest first, without spam and deleted ones. With several arguments a conversation must match all of them.',
    effect: 'reads',
    procedure: 'conversations.list',
    input: z.object({
      status: z.enum(ConversationStatus).optional().describe('Only conversations in this status.'),
      assignee_id: z
        .string()
        .max(60)
        .optional()
        .describe('Only those of this teammate, or `none` for those of nobody.'),
      team_id: z.string().max(60).optional().describe('Only those of this team, or `none`.'),
      channel: z.enum(Channel).optional(),
      tag: z.string().max(40).optional(),
      contact_id: z.string().max(60).optional().describe('Only those with this contact.'),
      updated_since: updatedSince,
      limit,
      cursor,
    }),
    output: untrustedPage(conversationSchema),
    example: { status: 'open', assignee_id: 'none' },
    run: async (call, { limit: max, cursor: after, ...filter }) => ({
      notice: NOTICE,
      ...(await readBounded(
        (page) => call('conversations.list', { order: 'desc', ...query(filter), ...page }),
        {
          mark: (item: ApiConversation) => markConversation(item),
          cursor: after,
          ...(max ? { limit: max } : {}),
        },
      )),
    }),
  }),
  defineTool({
    name: 'search_conversations',
    title: 'Search conversations',
    description:
      'Lists conversations with all of these words, or other forms of them, in the name or address of the contact, the subject, a message or a note, newest message first.',
    effect: 'reads',
    procedure: 'conversations.search',
    input: z.object({
      query: z.string().min(1).max(200).describe('The words.'),
      status: z.enum(ConversationStatus).optional().describe('Only conversations in this status.'),
      limit,
      cursor,
    }),
    output: untrustedPage(conversationSchema),
    example: { query: 'refund grinder' },
    run: async (call, { limit: max, cursor: after, ...search }) => ({
      notice: NOTICE,
      ...(await readBounded((page) => call('conversations.search', { ...query(search), ...page }), {
        mark: (item: ApiConversation) => markConversation(item),
        cursor: after,
        ...(max ? { limit: max } : {}),
      })),
    }),
  }),
  defineTool({
    name: 'read_conversation',
    title: 'Read a conversation',
    description:
      'Returns a conversation with its messages, newest first, at most 20,000 characters at a time. Pass next_cursor for earlier messages.',
    effect: 'reads',
    procedure: 'conversations.messages',
    input: z.object({ conversation_id: conversationId, cursor }),
    output: untrustedRecord({
      conversation: conversationSchema,
      messages: z.array(messageSchema),
      next_cursor: z.string().nullable(),
    }),
    example: { conversation_id: CONVERSATION_ID },
    run: async (call, { conversation_id: id, cursor: after }) => {
      const conversation = (await call('conversations.get', { id })) as ApiConversation;
      const { data, next_cursor } = await readTexts(
        (page) => call('conversations.messages', { id, order: 'desc', ...page }),
        { contentOf: ({ content }: ApiMessage) => content, mark: markMessage, cursor: after },
      );
      return { notice: NOTICE, conversation: markConversation(conversation), messages: data, next_cursor };
    },
  }),
  defineTool({
    name: 'list_notes',
    title: 'List the notes of a conversation',
    description: 'Returns the internal notes of a conversation, oldest first. Contacts never see them.',
    effect: 'reads',
    procedure: 'conversations.notes',
    input: z.object({ conversation_id: conversationId, cursor }),
    output: untrustedPage(noteSchema),
    example: { conversation_id: CONVERSATION_ID },
    run: async (call, { conversation_id: id, cursor: after }) => ({
      notice: NOTICE,
      ...(await readBounded((page) => call('conversations.notes', { id, ...page }), {
        mark: (item: ApiNote) => markNote(item),
        cursor: after,
      })),
    }),
  }),
  defineTool({
    name: 'find_contacts',
    title: 'Find contacts',
    description:
      'Lists contacts by their last change, oldest first. With several arguments a contact must match all of them.',
    effect: 'reads',
    procedure: 'contacts.list',
    input: z.object({
      email: z.string().max(255).optional().describe('Only the contact with this email address.'),
      phone: z
        .string()
        .max(60)
        .optional()
        .describe('Only contacts with this phone number. Spaces and signs do not matter.'),
      company_id: z.string().max(60).optional(),
      updated_since: updatedSince,
      limit,
      cursor,
    }),
    output: untrustedPage(contactSchema),
    example: { email: 'ada@engines.example' },
    run: async (call, { limit: max, cursor: after, ...filter }) => ({
      notice: NOTICE,
      ...(await readBounded((page) => call('contacts.list', { ...query(filter), ...page }), {
        mark: (item: ApiContact) => markContact(item),
        cursor: after,
        ...(max ? { limit: max } : {}),
      })),
    }),
  }),
  defineTool({
    name: 'read_contact',
    title: 'Read a contact',
    description: 'Returns a contact. The id of a merged contact returns the contact that remains.',
    effect: 'reads',
    procedure: 'contacts.get',
    input: z.object({ contact_id: z.string().max(60).describe('The id of the contact.') }),
    output: untrustedRecord({ contact: contactSchema }),
    example: { contact_id: CONTACT_ID },
    run: async (call, { contact_id: id }) => ({
      notice: NOTICE,
      contact: markContact((await call('contacts.get', { id })) as ApiContact),
    }),
  }),
  defineTool({
    name: 'list_teammates',
    title: 'List teammates',
    description:
      'Returns the teammates who can take conversations: owners, admins and agents, sorted by name.',
    effect: 'reads',
    procedure: 'teammates.list',
    input: z.object({}),
    output: namesPage(named.extend({ email: z.string(), role: z.string() })),
    example: {},
    run: (call) => call('teammates.list') as Promise<Record<string, unknown>>,
  }),
  defineTool({
    name: 'list_teams',
    title: 'List teams',
    description: 'Returns the teams of the workspace, sorted by name.',
    effect: 'reads',
    procedure: 'teammates.teams',
    input: z.object({}),
    output: namesPage(named),
    example: {},
    run: (call) => call('teammates.teams') as Promise<Record<string, unknown>>,
  }),
  defineTool({
    name: 'list_tags',
    title: 'List tags',
    description: 'Returns the tags of conversations in alphabetical order, up to 100 on a page.',
    effect: 'reads',
    procedure: 'tags.list',
    input: z.object({ cursor }),
    output: namesPage(z.object({ name: z.string() })),
    example: {},
    run: (call, { cursor: after }) =>
      call('tags.list', query({ limit: 100, cursor: after })) as Promise<Record<string, unknown>>,
  }),
  defineTool({
    name: 'list_saved_replies',
    title: 'List saved replies',
    description:
      'Returns the texts for replies that the workspace shares, with variables such as {{contact.first_name}} to fill in.',
    effect: 'reads',
    procedure: 'savedReplies.list',
    input: z.object({ cursor }),
    output: namesPage(named.extend({ folder: z.string(), content: z.string(), updated_at: z.string() })),
    example: {},
    run: (call, { cursor: after }) =>
      readBounded((page) => call('savedReplies.list', page), { mark: (reply) => reply, cursor: after }),
  }),
];
