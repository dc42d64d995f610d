import { aiAgentScreens } from '#server/ai-agent/screens.ts';
import { commandsScreens } from '#server/commands/screens.ts';
import { companiesScreens } from '#server/companies/screens.ts';
import { connectionsScreens } from '#server/connections/screens.ts';
import { contactsScreens } from '#server/contacts/screens.ts';
import { inboxScreens } from '#server/conversations/action-screens.ts';
import { conversationsScreens } from '#server/conversations/screens.ts';
import { deliveriesScreens } from '#server/deliveries/screens.ts';
import { docsScreens } from '#server/docs/screens.ts';
import { flowsScreens } from '#server/flows/screens.ts';
import { hooksScreens } from '#server/hooks/screens.ts';
import { invitationsScreens } from '#server/invitations/screens.ts';
import { composerScreens } from '#server/messages/screens.ts';
import { notesScreens } from '#server/notes/screens.ts';
import { notificationsScreens } from '#server/notifications/screens.ts';
import { ratingsScreens } from '#server/ratings/screens.ts';
import { accountScreens } from '#server/teammates/account-screens.ts';
import { teammatesScreens } from '#server/teammates/member-screens.ts';
import { sessionScreens } from '#server/teammates/screens.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';
import { teamsScreens } from '#server/teams/screens.ts';
import { screenRouter } from '#server/trpc.ts';
import { webchatScreens } from '#server/webchat/screens.ts';
import { workspacesScreens } from '#server/workspaces/screens.ts';

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
  hooks: hooksScreens,
  deliveries: deliveriesScreens,
  docs: docsScreens,
});

/** The screens' procedures, bound to the session behind a request's headers. */
export async function screensFor(headers: Headers) {
  return screensRouter.createCaller({ headers, signedIn: await findSignedIn(headers) });
}
