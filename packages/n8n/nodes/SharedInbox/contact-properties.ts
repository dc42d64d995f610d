import type { INodeProperties } from 'n8n-workflow';
import { show } from './properties';

export const contactProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['contact'] } },
    options: [
      { name: 'Create', value: 'create', action: 'Create a contact', description: 'Create a contact' },
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many contacts',
        description: 'Find contacts by email address, by phone number or by both, at most 10',
      },
      { name: 'Update', value: 'update', action: 'Update a contact', description: 'Update a contact' },
    ],
    default: 'create',
  },
  {
    displayName: 'Contact ID',
    name: 'contact_id',
    type: 'string',
    required: true,
    default: '',
    description: 'The ID that an event or Get Many returns',
    displayOptions: show('contact', 'update'),
  },
  {
    displayName: 'Email',
    name: 'email',
    type: 'string',
    placeholder: 'name@email.com',
    default: '',
    description:
      'The full address, in upper or lower case. If you also enter a phone number, contacts must match both.',
    displayOptions: show('contact', 'getAll'),
  },
  {
    displayName: 'Phone',
    name: 'phone',
    type: 'string',
    default: '',
    description: 'A leading +, spaces and dashes are ignored',
    displayOptions: show('contact', 'getAll'),
  },
  {
    displayName: 'Fields',
    name: 'fields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    description: 'A new contact needs a name, an email address or a phone number',
    displayOptions: show('contact', 'create', 'update'),
    options: [
      {
        displayName: 'City',
        name: 'city',
        type: 'string',
        default: '',
        description: 'The city that the contact lives in',
      },
      {
        displayName: 'Email',
        name: 'email',
        type: 'string',
        placeholder: 'name@email.com',
        default: '',
        description: 'Must be unique in the workspace',
      },
      {
        displayName: 'Language',
        name: 'language',
        type: 'string',
        default: '',
        description: 'A language code such as en or de',
      },
      {
        displayName: 'Name',
        name: 'name',
        type: 'string',
        default: '',
        description: 'First and last name together',
      },
      {
        displayName: 'Phone',
        name: 'phone',
        type: 'string',
        default: '',
        description: 'At most 60 characters, with the country code, for example +44 20 7946 0018',
      },
    ],
  },
];
