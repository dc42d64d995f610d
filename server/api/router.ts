import { connectionsApi } from '#server/api/connection.ts';
import { contactsApi } from '#server/api/contacts.ts';
import { conversationsApi } from '#server/api/conversations.ts';
import { hooksApi } from '#server/api/hooks.ts';
import { api } from '#server/api/procedures.ts';
import { eventsApi } from '#server/api/samples.ts';
import { teammatesApi } from '#server/api/teammates.ts';

export const restRouter = api.router({
  connections: connectionsApi,
  teammates: teammatesApi,
  hooks: hooksApi,
  contacts: contactsApi,
  conversations: conversationsApi,
  events: eventsApi,
});
