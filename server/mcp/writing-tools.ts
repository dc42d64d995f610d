import { z } from 'zod';
import { TAG_MAX_LENGTH, TAGS_MAX } from '#server/contract/tag-list.ts';
import { ConversationStatus } from '#server/generated/prisma/enums.ts';
import { NOTE_MAX_LENGTH } from '#server/inbox/conversations/add-note.ts';
import { REPLY_MAX_LENGTH } from '#server/inbox/messages/save-reply.ts';
import { REASON_MAX_LENGTH } from '#server/inbox/messages/suggested-replies.ts';
import { CONVERSATION_ID, conversationId } from '#server/mcp/reading-tools.ts';
import { type CallProcedure, defineTool, idempotencyKey, type Tool } from '#server/mcp/tool.ts';
import {
  type ApiConversation,
  conversationSchema,
  markConversation,
  NOTICE,
  untrustedRecord,
} from '#server/mcp/untrusted.ts';

const TEAMMATE_ID = '019f5c3e-7a10-7c3a-9d52-3f0b8e6a4d23';

/** A text, in code points. The procedure counts them. The bound here only limits the size. */
const text = (max: number, description: string) =>
  z
    .string()
    .min(1)
    .max(4 * max)
    .describe(`${description} At most ${max.toLocaleString('en')} characters.`);
const id = z.string().max(60);
const authorId = id
  .optional()
  .describe('The teammate in whose name it is written, from list_teammates. Without it: the workspace.');

const savedSchema = z.object({
  id: z.string(),
  conversation_id: z.string(),
  created_at: z.string(),
  url: z.string().describe('The conversation in the inbox, for teammates.'),
});
const savedOf = ({ id: savedId, conversation_id, created_at, url }: Saved): Saved => ({
  id: savedId,
  conversation_id,
  created_at,
  url,
});
type Saved = z.infer<typeof savedSchema>;

const conversationOutput = untrustedRecord({ conversation: conversationSchema });
async function changed(call: CallProcedure, procedure: string, input: Record<string, unknown>) {
  return {
    notice: NOTICE,
    conversation: markConversation((await call(procedure, input)) as ApiConversation),
  };
}

export const WRITING_TOOLS: Tool[] = [
  defineTool({
    name: 'suggest_reply',
    title: 'Suggest a reply',
    description:
      'Saves a draft that a teammate sees at the composer of the conversation with your reason, and sends, edits or dismisses. Sends nothing. Replaces your earlier suggestion in the conversation. Prefer this to send_reply.',
    effect: 'adds',
    procedure: 'suggestedReplies.create',
    input: z.object({
      conversation_id: conversationId,
      content: text(REPLY_MAX_LENGTH, 'The text of the reply.'),
      reason: text(REASON_MAX_LENGTH, 'Why you suggest it, for the teammate. The contact never sees it.'),
    }),
    output: savedSchema,
    example: {
      conversation_id: CONVERSATION_ID,
      content: 'Hello Ada, it left our warehouse this morning.',
      reason: 'The carrier has scanned the parcel at 08:12.',
    },
    run: async (call, { conversation_id, ...input }) =>
      savedOf((await call('suggestedReplies.create', { id: conversation_id, ...input })) as Saved),
  }),
  defineTool({
    name: 'send_reply',
    title: 'Send a reply',
    description:
      'Sends a reply to the contact immediately. It cannot be taken back. Use suggest_reply unless the person you work for has asked you to send.',
    effect: 'sends',
    procedure: 'conversations.reply',
    input: z.object({
      conversation_id: conversationId,
      content: text(REPLY_MAX_LENGTH, 'The text of the reply.'),
      author_id: authorId,
      idempotency_key: idempotencyKey,
    }),
    output: untrustedRecord({
      ...savedSchema.shape,
      send_status: z
        .string()
        .nullable()
        .describe(
          '`sent`, `failed`, `held_for_paywall` (saved, not sent), or null if the channel reports nothing.',
        ),
      untrusted: z.object({
        delivery_error: z.string().nullable().describe('Why it failed. May quote the server of the contact.'),
      }),
    }),
    example: { conversation_id: CONVERSATION_ID, content: 'Hello Ada, it left our warehouse this morning.' },
    run: async (call, { conversation_id, ...input }) => {
      const sent = (await call('conversations.reply', { id: conversation_id, ...input })) as Sent;
      const { send_status, delivery_error } = sent;
      return { notice: NOTICE, ...savedOf(sent), send_status, untrusted: { delivery_error } };
    },
  }),
  defineTool({
    name: 'add_note',
    title: 'Add a note',
    description:
      'Adds an internal note to a conversation, which the contact never sees. Notifies the assignee and teammates mentioned as @name.',
    effect: 'adds',
    procedure: 'conversations.note',
    input: z.object({
      conversation_id: conversationId,
      content: text(NOTE_MAX_LENGTH, 'The text of the note.'),
      author_id: authorId,
      idempotency_key: idempotencyKey,
    }),
    output: savedSchema,
    example: { conversation_id: CONVERSATION_ID, content: '@Olivia Owen please have a look at this refund.' },
    run: async (call, { conversation_id, ...input }) =>
      savedOf((await call('conversations.note', { id: conversation_id, ...input })) as Saved),
  }),
  defineTool({
    name: 'add_tags',
    title: 'Add tags',
    description: 'Adds tags to a conversation and keeps the existing ones. Tags do not distinguish case.',
    effect: 'adds',
    isIdempotent: true,
    procedure: 'conversations.addTags',
    input: z.object({
      conversation_id: conversationId,
      tags: z
        .array(z.string().max(4 * TAG_MAX_LENGTH))
        .min(1)
        .max(TAGS_MAX),
    }),
    output: conversationOutput,
    example: { conversation_id: CONVERSATION_ID, tags: ['refund'] },
    run: (call, { conversation_id, tags }) =>
      changed(call, 'conversations.addTags', { id: conversation_id, tags }),
  }),
  defineTool({
    name: 'remove_tag',
    title: 'Remove a tag',
    description: 'Removes a tag from a conversation, in upper or lower case.',
    effect: 'changes',
    isIdempotent: true,
    procedure: 'conversations.removeTag',
    input: z.object({
      conversation_id: conversationId,
      tag: z
        .string()
        .min(1)
        .max(4 * TAG_MAX_LENGTH),
    }),
    output: conversationOutput,
    example: { conversation_id: CONVERSATION_ID, tag: 'refund' },
    run: (call, { conversation_id, tag }) =>
      changed(call, 'conversations.removeTag', { id: conversation_id, tag }),
  }),
  defineTool({
    name: 'assign_conversation',
    title: 'Assign a conversation',
    description: 'Assigns a conversation to a teammate, a team or both. What is not sent stays.',
    effect: 'changes',
    isIdempotent: true,
    procedure: 'conversations.update',
    input: z.object({
      conversation_id: conversationId,
      assignee_id: id.optional().describe('A teammate from list_teammates, or `none`.'),
      team_id: id.optional().describe('A team from list_teams, or `none`.'),
    }),
    output: conversationOutput,
    example: { conversation_id: CONVERSATION_ID, assignee_id: TEAMMATE_ID },
    run: (call, { conversation_id, ...input }) =>
      changed(call, 'conversations.update', { id: conversation_id, ...input }),
  }),
  defineTool({
    name: 'change_status',
    title: 'Change the status',
    description:
      'Changes the status of a conversation. A closed conversation cannot be reopened: prefer solved.',
    effect: 'changes',
    isIdempotent: true,
    procedure: 'conversations.update',
    input: z.object({ conversation_id: conversationId, status: z.enum(ConversationStatus) }),
    output: conversationOutput,
    example: { conversation_id: CONVERSATION_ID, status: 'solved' },
    run: (call, { conversation_id, status }) =>
      changed(call, 'conversations.update', { id: conversation_id, status }),
  }),
  defineTool({
    name: 'snooze_conversation',
    title: 'Snooze a conversation',
    description:
      'Makes a conversation pending until a time, when it opens again. It opens earlier when the contact writes.',
    effect: 'changes',
    isIdempotent: true,
    procedure: 'conversations.update',
    input: z.object({
      conversation_id: conversationId,
      until: id.describe('ISO 8601 with an offset or Z, within a year, or `none` to end the snooze.'),
    }),
    output: conversationOutput,
    example: { conversation_id: CONVERSATION_ID, until: '2026-11-24T08:00:00Z' },
    run: (call, { conversation_id, until }) =>
      changed(call, 'conversations.update', { id: conversation_id, snoozed_until: until }),
  }),
];

type Sent = Saved & { send_status: string | null; delivery_error: string | null };
