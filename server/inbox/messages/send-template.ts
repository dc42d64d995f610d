import type { ReplyRecord, Teammate } from '#server/contract/record-schemas.ts';
import { fillTemplate, listTemplates } from '#server/inbox/channels/whatsapp/templates.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';

/**
 * Replies to a contact on WhatsApp with an approved template, which also reaches them when their window is closed.
 * @param given.values by the text between the braces of its places
 * @throws Refusal as `listTemplates` and `sendReply` do, and for a value that is missing or too long
 */
export async function sendTemplate(given: {
  workspaceId: string;
  conversationId: string;
  by: Teammate;
  name: string;
  language: string;
  values: Record<string, string>;
}): Promise<ReplyRecord> {
  const { workspaceId, conversationId, by } = given;
  const templates = await listTemplates({ workspaceId, conversationId });
  return sendReply({
    workspaceId,
    id: conversationId,
    actor: { kind: 'teammate', teammate: by },
    ...fillTemplate(templates, given),
  });
}
