import type { IDataObject } from 'n8n-workflow';
import type { Call } from './call-service';

/** The values of a node's fields, by the names that the API has for them. */
export type Values = IDataObject;

/** What an operation asks of the API. */
type Operation = {
  /** The parameters that stand on their own; those of the collection named `fields` are added. */
  parameters: readonly string[];
  toCall(values: Values): Call;
};

const filled = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== '' && value !== undefined && value !== null),
  );
const at = (values: Values, name: string) => encodeURIComponent(String(values[name] ?? ''));

const inConversation = (what: 'replies' | 'notes'): Operation => ({
  parameters: ['conversation_id', 'content'],
  toCall: (values) => ({
    method: 'POST',
    path: `/conversations/${at(values, 'conversation_id')}/${what}`,
    body: { content: values.content },
  }),
});

/** Every operation, by its resource and its own value. */
export const OPERATIONS: Record<string, Record<string, Operation>> = {
  contact: {
    create: {
      parameters: [],
      toCall: (values) => ({ method: 'POST', path: '/contacts', body: filled(values) }),
    },
    update: {
      parameters: ['contact_id'],
      toCall: ({ contact_id, ...values }) => ({
        method: 'PATCH',
        path: `/contacts/${at({ contact_id }, 'contact_id')}`,
        body: filled(values),
      }),
    },
    getAll: {
      parameters: ['email', 'phone'],
      toCall: (values) => ({ method: 'GET', path: '/contacts/search', qs: filled(values) }),
    },
  },
  conversation: {
    create: {
      parameters: ['to_email', 'subject', 'content'],
      toCall: (values) => ({ method: 'POST', path: '/conversations', body: filled(values) }),
    },
    update: {
      parameters: ['conversation_id'],
      toCall: ({ conversation_id, ...values }) => ({
        method: 'PATCH',
        path: `/conversations/${at({ conversation_id }, 'conversation_id')}`,
        body: filled(values),
      }),
    },
    addTags: {
      parameters: ['conversation_id', 'tags'],
      toCall: (values) => ({
        method: 'POST',
        path: `/conversations/${at(values, 'conversation_id')}/tags`,
        body: { tags: values.tags },
      }),
    },
    getAll: {
      parameters: ['id', 'contact_email'],
      toCall: (values) => ({ method: 'GET', path: '/conversations/search', qs: filled(values) }),
    },
  },
  message: { reply: inConversation('replies'), addNote: inConversation('notes') },
};
