/** What a request of the collection has besides what the document says of its operation. */
export type Stop = {
  operationId: string;
  /** Values of parameters in path and query; those that are not named here are there, but turned off. */
  values?: Record<string, string>;
  /** The body, where the example of the document would not do a second time. */
  body?: Record<string, unknown>;
  /** What later requests need of the response: variable to place in it. */
  keeps?: Record<string, string>;
};

/** The operations in an order in which each has what it needs, so that the collection runs as a whole. */
export const JOURNEY: readonly Stop[] = [
  { operationId: 'getConnection' },
  { operationId: 'getDocument' },
  { operationId: 'listTeammates', keeps: { teammateId: 'res.body[0].id' } },
  { operationId: 'listTeams' },
  {
    operationId: 'createContact',
    body: { name: 'Ada Lovelace', email: 'ada.{{$timestamp}}@engines.example', city: 'London' },
    keeps: { contactId: 'res.body.id', contactEmail: 'res.body.email' },
  },
  { operationId: 'searchContacts', values: { email: '{{contactEmail}}' } },
  { operationId: 'updateContact', values: { id: '{{contactId}}' }, body: { city: 'Paris', language: 'fr' } },
  {
    operationId: 'createConversation',
    body: { to_email: '{{contactEmail}}', subject: 'Your order', content: 'Hello Ada, it is on its way.' },
    keeps: { conversationId: 'res.body.id' },
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
    keeps: { hookId: 'res.body.id' },
  },
  { operationId: 'listSamples', values: { event: 'conversation.created' } },
  { operationId: 'unsubscribeHook', values: { id: '{{hookId}}' } },
];
