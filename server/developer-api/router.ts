import { companyProcedures } from '#server/developer-api/companies.ts';
import { contactProcedures } from '#server/developer-api/contacts.ts';
import { conversationProcedures } from '#server/developer-api/conversations.ts';
import { eventProcedures } from '#server/developer-api/events.ts';
import { fileProcedures } from '#server/developer-api/files.ts';
import { meProcedures } from '#server/developer-api/me.ts';
import { developer } from '#server/developer-api/procedures.ts';
import { savedReplyProcedures } from '#server/developer-api/saved-replies.ts';
import { suggestedReplyProcedures } from '#server/developer-api/suggested-replies.ts';
import { tagProcedures, teammateProcedures } from '#server/developer-api/teammates-teams-and-tags.ts';
import { webhookProcedures } from '#server/developer-api/webhooks.ts';

/** The procedures of the developer API. */
export const developerRouter = developer.router({
  me: meProcedures,
  contacts: contactProcedures,
  companies: companyProcedures,
  conversations: conversationProcedures,
  files: fileProcedures,
  savedReplies: savedReplyProcedures,
  suggestedReplies: suggestedReplyProcedures,
  teammates: teammateProcedures,
  tags: tagProcedures,
  events: eventProcedures,
  webhooks: webhookProcedures,
});
