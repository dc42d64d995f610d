import { apiRouter } from '#server/doors/procedures/trpc.ts';
import { addNoteProcedure } from '#server/inbox/conversations/api/add-note.ts';
import { addTagsProcedure } from '#server/inbox/conversations/api/add-tags.ts';
import { createConversationProcedure } from '#server/inbox/conversations/api/create-conversation.ts';
import { searchConversationsProcedure } from '#server/inbox/conversations/api/search-conversations.ts';
import { sendReplyProcedure } from '#server/inbox/conversations/api/send-reply.ts';
import { updateConversationProcedure } from '#server/inbox/conversations/api/update-conversation.ts';

/** Conversations, as the platform sees them. */
export const conversationsApi = apiRouter({
  search: searchConversationsProcedure,
  create: createConversationProcedure,
  update: updateConversationProcedure,
  reply: sendReplyProcedure,
  note: addNoteProcedure,
  tag: addTagsProcedure,
});
