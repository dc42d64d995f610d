import { addNoteProcedure } from '#server/api/add-note-procedure.ts';
import { addTagsProcedure } from '#server/api/add-tags-procedure.ts';
import { createConversationProcedure } from '#server/api/create-conversation-procedure.ts';
import { apiRouter } from '#server/api/procedures.ts';
import { sendReplyProcedure } from '#server/api/replies-notes-and-tags.ts';
import { searchConversationsProcedure } from '#server/api/search-conversations-procedure.ts';
import { updateConversationProcedure } from '#server/api/update-conversation-procedure.ts';

/** Conversations, as the platform sees them. */
export const conversationsApi = apiRouter({
  search: searchConversationsProcedure,
  create: createConversationProcedure,
  update: updateConversationProcedure,
  reply: sendReplyProcedure,
  note: addNoteProcedure,
  tag: addTagsProcedure,
});
