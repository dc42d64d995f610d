/** A request of the collection, in addition to its operation in openapi.json. */
export type Stop = {
  operationId: string;
  /** Values of path and query parameters. Other query parameters are included but disabled. */
  values?: Record<string, string>;
  /** Replaces the example body of openapi.json, for example because that body cannot be sent twice. */
  body?: Record<string, unknown>;
  /** Variables for later requests, with their expressions in the response. */
  sets?: Record<string, string>;
};

/** All operations, ordered so that each has the variables that it needs. */
export const JOURNEY: readonly Stop[] = [
  { operationId: 'getConnection' },
  { operationId: 'getDocument' },
  { operationId: 'listTeammates', sets: { teammateId: 'res.body[0].id' } },
  { operationId: 'listTeams' },
  {
    operationId: 'createContact',
    body: { name: 'Ada Lovelace', email: 'ada.{{$timestamp}}@engines.example', city: 'London' },
    sets: { contactId: 'res.body.id', contactEmail: 'res.body.email' },
  },
  { operationId: 'searchContacts', values: { email: '{{contactEmail}}' } },
  { operationId: 'updateContact', values: { id: '{{contactId}}' }, body: { city: 'Paris', language: 'fr' } },
  {
    operationId: 'createConversation',
    body: { to_email: '{{contactEmail}}', subject: 'Your order', content: 'Hello Ada, it is on its way.' },
    sets: { conversationId: 'res.body.id' },
  },
  { operationId: 'searchConversations', values: { id: '{{conversationId}}' } },
  {
    operationId: 'updateConversation',
    values: { id: '{{conversationId}}' },
    body: { status: 'pending', priority: 'high', assignee_id: '{{teammateId}}', team_id: 'no_team' },
  },
  { operationId: 'addTags', values: { id: '{{conversationId}}' } },
  { operationId: 'sendReply', values: { id: '{{conversationId}}' } },
  { operationId: 'addNote', values: { id: '{{conversationId}}' } },
  {
    operationId: 'subscribeHook',
    body: {
      target_url: 'https://{{hooksHost}}/hooks/standard/1042/8f14e45f/',
      event: 'conversation.status_changed',
      status: 'solved',
    },
    sets: { hookId: 'res.body.id' },
  },
  { operationId: 'listSamples', values: { event: 'conversation.created' } },
  { operationId: 'unsubscribeHook', values: { id: '{{hookId}}' } },
];
