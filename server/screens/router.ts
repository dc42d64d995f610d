import { batchReads } from '#server/core/database/batch-reads.ts';
import { auditScreens } from '#server/screens/audit/audit.ts';
import { companiesScreens } from '#server/screens/contacts/companies.ts';
import { contactsScreens } from '#server/screens/contacts/contacts.ts';
import { docsScreens } from '#server/screens/docs/docs.ts';
import { fieldsScreens } from '#server/screens/fields/fields.ts';
import { bulkScreens } from '#server/screens/inbox/bulk.ts';
import { claimsScreens } from '#server/screens/inbox/claims.ts';
import { commandsScreens, composerScreens } from '#server/screens/inbox/composer.ts';
import { conversationsScreens } from '#server/screens/inbox/conversation.ts';
import { inboxScreens } from '#server/screens/inbox/inbox.ts';
import { notesScreens } from '#server/screens/inbox/notes.ts';
import { removedScreens } from '#server/screens/inbox/removed.ts';
import { savedViewScreens } from '#server/screens/inbox/saved-views.ts';
import { connectionsScreens, hooksScreens } from '#server/screens/integrations/connections.ts';
import { deliveriesScreens } from '#server/screens/integrations/deliveries.ts';
import { notificationsScreens } from '#server/screens/notifications.ts';
import { screenRouter } from '#server/screens/procedures.ts';
import { ratingsScreens } from '#server/screens/rating.ts';
import { reportsScreens } from '#server/screens/reports/reports.ts';
import { sessionScreens } from '#server/screens/session.ts';
import { accountScreens } from '#server/screens/settings/account.ts';
import { aiAgentScreens } from '#server/screens/settings/ai-agent.ts';
import { blockedSendersScreens } from '#server/screens/settings/blocked-senders.ts';
import { businessHoursScreens } from '#server/screens/settings/business-hours.ts';
import { channelsScreens } from '#server/screens/settings/channels.ts';
import { developersScreens } from '#server/screens/settings/developers.ts';
import { flowsScreens } from '#server/screens/settings/flows.ts';
import { invitationsScreens } from '#server/screens/settings/invitations.ts';
import { teammatesScreens } from '#server/screens/settings/members.ts';
import { retentionScreens } from '#server/screens/settings/retention.ts';
import { savedRepliesScreens } from '#server/screens/settings/saved-replies.ts';
import { singleSignOnScreens } from '#server/screens/settings/single-sign-on.ts';
import { tagsScreens } from '#server/screens/settings/tags.ts';
import { teamsScreens } from '#server/screens/settings/teams.ts';
import { testWorkspaceScreens } from '#server/screens/settings/test-workspace.ts';
import { visibilityScreens } from '#server/screens/settings/visibility.ts';
import { webhookScreens } from '#server/screens/settings/webhooks.ts';
import { workspacesScreens } from '#server/screens/settings/workspace.ts';
import { workspaceExportScreens } from '#server/screens/settings/workspace-export.ts';
import { webchatScreens } from '#server/screens/web-chat/web-chat.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

export const screensRouter = screenRouter({
  session: sessionScreens,
  account: accountScreens,
  teammates: teammatesScreens,
  teams: teamsScreens,
  tags: tagsScreens,
  fields: fieldsScreens,
  testWorkspace: testWorkspaceScreens,
  invitations: invitationsScreens,
  workspaces: workspacesScreens,
  connections: connectionsScreens,
  claims: claimsScreens,
  conversations: conversationsScreens,
  inbox: inboxScreens,
  bulk: bulkScreens,
  savedViews: savedViewScreens,
  removed: removedScreens,
  blockedSenders: blockedSendersScreens,
  audit: auditScreens,
  reports: reportsScreens,
  developers: developersScreens,
  visibility: visibilityScreens,
  businessHours: businessHoursScreens,
  retention: retentionScreens,
  singleSignOn: singleSignOnScreens,
  workspaceExport: workspaceExportScreens,
  webhooks: webhookScreens,
  contacts: contactsScreens,
  companies: companiesScreens,
  composer: composerScreens,
  savedReplies: savedRepliesScreens,
  notes: notesScreens,
  commands: commandsScreens,
  notifications: notificationsScreens,
  ratings: ratingsScreens,
  webchat: webchatScreens,
  aiAgent: aiAgentScreens,
  flows: flowsScreens,
  channels: channelsScreens,
  hooks: hooksScreens,
  deliveries: deliveriesScreens,
  docs: docsScreens,
});

/** Returns the screen procedures, called with the session of a request's headers. */
export async function screensFor(headers: Headers) {
  return screensRouter.createCaller({
    headers,
    signedIn: await findSignedIn(headers),
    reads: batchReads(),
  });
}
