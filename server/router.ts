import { connectionsScreens } from '#server/automation/connections/screens.ts';
import { deliveriesScreens } from '#server/automation/deliveries/screens.ts';
import { hooksScreens } from '#server/automation/hooks/screens.ts';
import { docsScreens } from '#server/doors/docs/screens.ts';
import { screenRouter } from '#server/doors/procedures/trpc.ts';
import { readsTogether } from '#server/ground/reads.ts';
import { aiAgentScreens } from '#server/inbox/ai-agent/screens.ts';
import { channelsScreens } from '#server/inbox/channels/screens.ts';
import { commandsScreens } from '#server/inbox/commands/screens.ts';
import { conversationsScreens } from '#server/inbox/conversations/conversation-screens.ts';
import { inboxScreens } from '#server/inbox/conversations/list/inbox-screens.ts';
import { flowsScreens } from '#server/inbox/flows/screens.ts';
import { composerScreens } from '#server/inbox/messages/screens.ts';
import { notesScreens } from '#server/inbox/notes/screens.ts';
import { ratingsScreens } from '#server/inbox/ratings/screens.ts';
import { webchatScreens } from '#server/inbox/webchat/screens.ts';
import { accountScreens } from '#server/members/accounts/account-screens.ts';
import { sessionScreens } from '#server/members/accounts/session-screens.ts';
import { invitationsScreens } from '#server/members/invitations/screens.ts';
import { teammatesScreens } from '#server/members/membership/member-screens.ts';
import { notificationsScreens } from '#server/members/notifications/screens.ts';
import { teamsScreens } from '#server/members/teams/screens.ts';
import { workspacesScreens } from '#server/members/workspaces/screens.ts';
import { companiesScreens } from '#server/people/companies/screens.ts';
import { contactsScreens } from '#server/people/contacts/screens.ts';
import { findSignedIn } from '#server/people/teammates/signed-in.ts';

/** Every procedure of our own screens. */
export const screensRouter = screenRouter({
  session: sessionScreens,
  account: accountScreens,
  teammates: teammatesScreens,
  teams: teamsScreens,
  invitations: invitationsScreens,
  workspaces: workspacesScreens,
  connections: connectionsScreens,
  conversations: conversationsScreens,
  inbox: inboxScreens,
  contacts: contactsScreens,
  companies: companiesScreens,
  composer: composerScreens,
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

/** The screens' procedures, bound to the session behind a request's headers. */
export async function screensFor(headers: Headers) {
  return screensRouter.createCaller({
    headers,
    signedIn: await findSignedIn(headers),
    reads: readsTogether(),
  });
}
