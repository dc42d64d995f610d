import type { Bundle, PlainInputField, Search, SearchOrCreate, ZObject } from 'zapier-platform-core';
import { callService } from '../call-service.ts';
import { conversation, status } from '../fields/input-fields.ts';
import { contactFields, conversationFields } from '../fields/record-fields.ts';
import * as samples from '../fields/samples.ts';

/** Returns a search that sends its input fields as query parameters. */
const search = (path: string) => (z: ZObject, bundle: Bundle) =>
  callService<Record<string, unknown>[]>(z, {
    method: 'GET',
    path,
    params: bundle.inputData as Record<string, string>,
  });

const { dynamic = '' } = conversation;
const conversationId: PlainInputField = {
  key: 'id',
  label: 'Conversation',
  type: 'string',
  dynamic,
  helpText:
    'Takes precedence over the email address of the contact. The list shows conversations with recent events.',
};

const findContact = {
  key: 'find_contact',
  noun: 'Contact',
  display: {
    label: 'Find Contact',
    description: 'Finds a contact by email address, by phone number or by both.',
  },
  operation: {
    inputFields: [
      {
        key: 'email',
        label: 'Email',
        type: 'string',
        helpText:
          'The full address, in upper or lower case. If you also enter a phone number, contacts must match both.',
      },
      {
        key: 'phone',
        label: 'Phone',
        type: 'string',
        helpText: 'A leading +, spaces and dashes are ignored.',
      },
    ],
    perform: search('/contacts/search'),
    outputFields: contactFields,
    sample: samples.contact,
  },
} satisfies Search;

const findConversation = {
  key: 'find_conversation',
  noun: 'Conversation',
  display: {
    label: 'Find Conversation',
    description: 'Finds a conversation, or the newest one of a contact.',
  },
  operation: {
    inputFields: [
      conversationId,
      {
        key: 'contact_email',
        label: 'Contact Email',
        type: 'string',
        helpText: 'Finds the newest conversation of the contact with this address, in upper or lower case.',
      },
      status('Finds only conversations with this status. Leave it empty for any status.'),
    ],
    perform: search('/conversations/search'),
    outputFields: conversationFields,
    sample: samples.conversation,
  },
} satisfies Search;

export const searches = { find_contact: findContact, find_conversation: findConversation };

export const searchOrCreates = {
  find_contact: {
    key: 'find_contact',
    display: {
      label: 'Find or Create Contact',
      description: 'Finds a contact, or creates one when there is none.',
    },
    search: 'find_contact',
    create: 'create_contact',
  },
} satisfies Record<string, SearchOrCreate>;
