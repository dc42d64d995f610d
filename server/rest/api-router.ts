import { connectionsApi } from '#server/connections/api.ts';
import { contactsApi } from '#server/contacts/api.ts';
import { conversationsApi } from '#server/conversations/api.ts';
import { eventsApi } from '#server/events/api.ts';
import { hooksApi } from '#server/hooks/api.ts';
import { teammatesApi } from '#server/teammates/api.ts';
import { apiRouter } from '#server/trpc.ts';

/** Every procedure of the REST contract. */
export const restRouter = apiRouter({
  connections: connectionsApi,
  teammates: teammatesApi,
  hooks: hooksApi,
  contacts: contactsApi,
  conversations: conversationsApi,
  events: eventsApi,
});
