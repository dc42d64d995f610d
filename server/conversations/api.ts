import { addNoteProcedure } from '#server/conversations/api/add-note.ts';
import { addTagsProcedure } from '#server/conversations/api/add-tags.ts';
import { createConversationProcedure } from '#server/conversations/api/create-conversation.ts';
import { searchConversationsProcedure } from '#server/conversations/api/search-conversations.ts';
import { sendReplyProcedure } from '#server/conversations/api/send-reply.ts';
import { updateConversationProcedure } from '#server/conversations/api/update-conversation.ts';
import { apiRouter } from '#server/trpc.ts';

/** Conversations, as the platform sees them. */
export const conversationsApi = apiRouter({
  search: searchConversationsProcedure,
  create: createConversationProcedure,
  update: updateConversationProcedure,
  reply: sendReplyProcedure,
  note: addNoteProcedure,
  tag: addTagsProcedure,
});
