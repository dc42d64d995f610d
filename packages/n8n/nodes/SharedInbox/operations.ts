import type { IDataObject } from 'n8n-workflow';
import type { Call } from './call-service';

/** Values of a node's parameters, by their names in the API. */
export type Values = IDataObject;

type Operation = {
  /** Top-level parameters. The collection `fields` is added to their values. */
  parameters: readonly string[];
  toCall(values: Values): Call;
};

export const withoutEmpty = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== '' && value !== undefined && value !== null),
  );

/** Returns values with numbers as text, which every field of the API is: an expression may yield one, such as a phone number. */
export const withNumbersAsText = (values: Values): Values => {
  const asText = (value: unknown) => (typeof value === 'number' ? String(value) : value);
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(asText) : asText(value),
  ]);
  return Object.fromEntries(entries) as Values;
};

const pathSegment = (values: Values, name: string) => encodeURIComponent(String(values[name] ?? ''));

const inConversation = (what: 'replies' | 'notes'): Operation => ({
  parameters: ['conversation_id', 'content'],
  toCall: (values) => ({
    method: 'POST',
    path: `/conversations/${pathSegment(values, 'conversation_id')}/${what}`,
    body: { content: values.content },
  }),
});

/** All operations, by resource and operation. */
export const OPERATIONS: Record<string, Record<string, Operation>> = {
  contact: {
    create: {
      parameters: [],
      toCall: (values) => ({ method: 'POST', path: '/contacts', body: withoutEmpty(values) }),
    },
    update: {
      parameters: ['contact_id'],
      toCall: ({ contact_id, ...values }) => ({
        method: 'PATCH',
        path: `/contacts/${pathSegment({ contact_id }, 'contact_id')}`,
        body: withoutEmpty(values),
      }),
    },
    getAll: {
      parameters: ['email', 'phone'],
      toCall: (values) => ({ method: 'GET', path: '/contacts/search', qs: withoutEmpty(values) }),
    },
  },
  conversation: {
    create: {
      parameters: ['to_email', 'subject', 'content'],
      toCall: (values) => ({ method: 'POST', path: '/conversations', body: withoutEmpty(values) }),
    },
    update: {
      parameters: ['conversation_id'],
      toCall: ({ conversation_id, ...values }) => ({
        method: 'PATCH',
        path: `/conversations/${pathSegment({ conversation_id }, 'conversation_id')}`,
        body: withoutEmpty(values),
      }),
    },
    addTags: {
      parameters: ['conversation_id', 'tags'],
      toCall: (values) => ({
        method: 'POST',
        path: `/conversations/${pathSegment(values, 'conversation_id')}/tags`,
        body: { tags: values.tags },
      }),
    },
    getAll: {
      parameters: ['id', 'contact_email'],
      toCall: (values) => ({ method: 'GET', path: '/conversations/search', qs: withoutEmpty(values) }),
    },
  },
  message: { reply: inConversation('replies'), addNote: inConversation('notes') },
};
