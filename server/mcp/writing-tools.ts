import { z } from 'zod';
import { REPLY_MAX_LENGTH } from '#server/inbox/messages/save-reply.ts';
import { REASON_MAX_LENGTH } from '#server/inbox/messages/suggested-replies.ts';
import { conversationId } from '#server/mcp/reading-tools.ts';
import { defineTool, type Tool } from '#server/mcp/tool.ts';

const CONVERSATION_ID = '019f5c3e-7a10-7c3a-9d52-3f0b8e6a4d21';

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
      content: z
        .string()
        .min(1)
        .max(4 * REPLY_MAX_LENGTH)
        .describe(`The text of the reply, at most ${REPLY_MAX_LENGTH} characters.`),
      reason: z
        .string()
        .min(1)
        .max(4 * REASON_MAX_LENGTH)
        .describe('Why you suggest it, for the teammate. The contact never sees it.'),
    }),
    output: z.object({
      id: z.string(),
      conversation_id: z.string(),
      created_at: z.string(),
      url: z.string(),
    }),
    example: {
      conversation_id: CONVERSATION_ID,
      content: 'Hello Ada, it left our warehouse this morning.',
      reason: 'The carrier has scanned the parcel at 08:12.',
    },
    run: async (call, { conversation_id: id, content, reason }) => {
      const saved = (await call('suggestedReplies.create', { id, content, reason })) as Saved;
      return {
        id: saved.id,
        conversation_id: saved.conversation_id,
        created_at: saved.created_at,
        url: saved.url,
      };
    },
  }),
];

type Saved = { id: string; conversation_id: string; created_at: string; url: string };
