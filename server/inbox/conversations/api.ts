import { apiRouter } from '#server/doors/procedures/trpc.ts';
import { addNoteProcedure } from '#server/inbox/conversations/api/add-note-procedure.ts';
import { addTagsProcedure } from '#server/inbox/conversations/api/add-tags-procedure.ts';
import { createConversationProcedure } from '#server/inbox/conversations/api/create-conversation-procedure.ts';
import { searchConversationsProcedure } from '#server/inbox/conversations/api/search-conversations-procedure.ts';
import { sendReplyProcedure } from '#server/inbox/conversations/api/send-reply-procedure.ts';
import { updateConversationProcedure } from '#server/inbox/conversations/api/update-conversation-procedure.ts';

/** Conversations, as the platform sees them. */
export const conversationsApi = apiRouter({
  search: searchConversationsProcedure,
  create: createConversationProcedure,
  update: updateConversationProcedure,
  reply: sendReplyProcedure,
  note: addNoteProcedure,
  tag: addTagsProcedure,
});
