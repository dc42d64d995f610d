import { connectionsApi } from '#server/api/connection.ts';
import { contactsApi } from '#server/api/contacts.ts';
import { conversationsApi } from '#server/api/conversations.ts';
import { hooksApi } from '#server/api/hooks.ts';
import { apiRouter, makeApiCaller } from '#server/api/procedures.ts';
import { eventsApi } from '#server/api/samples.ts';
import { teammatesApi } from '#server/api/teammates.ts';

export const restRouter = apiRouter({
  connections: connectionsApi,
  teammates: teammatesApi,
  hooks: hooksApi,
  contacts: contactsApi,
  conversations: conversationsApi,
  events: eventsApi,
});

/** Creates functions that call the procedures on behalf of a caller. */
export const createCaller = makeApiCaller(restRouter);
