import { connectionsApi } from '#server/automation/connections/api.ts';
import { hooksApi } from '#server/automation/hooks/api.ts';
import { eventsApi } from '#server/automation/samples/api.ts';
import { apiRouter } from '#server/doors/procedures/trpc.ts';
import { conversationsApi } from '#server/inbox/conversations/api.ts';
import { contactsApi } from '#server/people/contacts/api.ts';
import { teammatesApi } from '#server/people/teammates/api.ts';

/** Every procedure of the REST contract. */
export const restRouter = apiRouter({
  connections: connectionsApi,
  teammates: teammatesApi,
  hooks: hooksApi,
  contacts: contactsApi,
  conversations: conversationsApi,
  events: eventsApi,
});
