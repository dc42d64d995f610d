import {
  assignee,
  contact,
  contactInputs,
  content,
  conversation,
  priority,
  status,
  team,
} from '../fields/input-fields.ts';
import { contactFields, conversationFields, noteFields, replyFields } from '../fields/record-fields.ts';
import * as samples from '../fields/samples.ts';
import { createStep } from './create-step.ts';

const conversationOutput = { outputFields: conversationFields, sample: samples.conversation };
const contactOutput = { outputFields: contactFields, sample: samples.contact };

const createContact = createStep({
  key: 'create_contact',
  noun: 'Contact',
  label: 'Create Contact',
  description: 'Creates a contact with at least a name, an email address or a phone number.',
  method: 'POST',
  path: '/contacts',
  inputFields: contactInputs,
  ...contactOutput,
});

const updateContact = createStep({
  key: 'update_contact',
  noun: 'Contact',
  label: 'Update Contact',
  description: 'Updates a contact with the fields that are filled in.',
  method: 'PATCH',
  path: '/contacts/{contact_id}',
  inputFields: [contact, ...contactInputs],
  ...contactOutput,
});

const createConversation = createStep({
  key: 'create_conversation',
  noun: 'Conversation',
  label: 'Create Conversation',
  description: 'Emails a contact and starts a conversation, assigned to the teammate who connected.',
  method: 'POST',
  path: '/conversations',
  inputFields: [
    {
      key: 'to_email',
      label: 'To Email',
      type: 'string',
      required: true,
      helpText: 'Cannot be an address of the workspace or of a teammate.',
    },
    { key: 'to_name', label: 'To Name', type: 'string', helpText: 'Used if the contact is new.' },
    {
      key: 'subject',
      label: 'Subject',
      type: 'string',
      required: true,
      helpText: 'The subject line of the email, at most 200 characters.',
    },
    content('The text of the email, at most 8,000 characters.'),
  ],
  ...conversationOutput,
});

const sendReply = createStep({
  key: 'send_reply',
  noun: 'Reply',
  label: 'Send Reply',
  description: 'Replies to the contact on the channel of the conversation.',
  method: 'POST',
  path: '/conversations/{conversation_id}/replies',
  inputFields: [conversation, content('The text of the reply, at most 8,000 characters.')],
  outputFields: replyFields,
  sample: samples.reply,
});

const addNote = createStep({
  key: 'add_internal_note',
  noun: 'Note',
  label: 'Add Internal Note',
  description: 'Adds a note for teammates that the contact never sees. Needs the Growth plan or higher.',
  method: 'POST',
  path: '/conversations/{conversation_id}/notes',
  inputFields: [
    conversation,
    content('At most 10,000 characters. A teammate mentioned as `@name` is notified.'),
  ],
  outputFields: noteFields,
  sample: samples.note,
});

const addTags = createStep({
  key: 'add_tags',
  noun: 'Tag',
  label: 'Add Tags to Conversation',
  description: 'Adds tags to a conversation and keeps the existing ones.',
  method: 'POST',
  path: '/conversations/{conversation_id}/tags',
  inputFields: [
    conversation,
    {
      key: 'tags',
      label: 'Tags',
      type: 'string',
      list: true,
      required: true,
      helpText: '1 to 20 tags of at most 40 characters each, separated by lines or commas.',
    },
  ],
  toBody: ({ tags }) => ({ tags: [tags].flat().flatMap((tag) => String(tag ?? '').split(',')) }),
  ...conversationOutput,
});

const updateConversation = createStep({
  key: 'update_conversation',
  noun: 'Conversation',
  label: 'Update Conversation',
  description: 'Updates the status, priority, assignee or team of a conversation.',
  method: 'PATCH',
  path: '/conversations/{conversation_id}',
  inputFields: [
    conversation,
    status('Leave it empty to keep the status. A closed conversation stays closed.'),
    priority,
    assignee,
    team,
  ],
  ...conversationOutput,
});

export const creates = {
  create_contact: createContact,
  update_contact: updateContact,
  create_conversation: createConversation,
  send_reply: sendReply,
  add_internal_note: addNote,
  add_tags: addTags,
  update_conversation: updateConversation,
};
