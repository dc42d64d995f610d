import { z } from 'zod';
import {
  exampleConnection,
  exampleContact,
  exampleConversation,
  exampleMessage,
  exampleNote,
  exampleRating,
  exampleReply,
  exampleTeam,
  exampleTeammate,
} from '#server/contract/record-examples.ts';
import { Channel, ConversationStatus, Priority, Role } from '#server/generated/prisma/enums.ts';

// The records of the contract (docs/spec.md §2). Objects are strict: a stray or missing key is a bug that
// tests must find, so nothing is stripped silently.

export const teammateSchema = z
  .strictObject({
    id: idField('The id of the teammate, the same in every workspace.'),
    name: textField('The name that contacts see on replies.'),
    email: textField('The address the teammate signs in with.'),
  })
  .meta({ id: 'Teammate', description: 'A person who works in the workspace.', examples: [exampleTeammate] });

export const teammateListItemSchema = z
  .strictObject({
    ...teammateSchema.shape,
    role: z.enum(Role).meta({ description: 'The role of the teammate in the workspace.' }),
  })
  .meta({
    id: 'TeammateListItem',
    description: 'A teammate to whom conversations can be assigned.',
    examples: [{ ...exampleTeammate, role: 'admin' }],
  });

/** A teammate in the format of the contract (docs/spec.md §2). */
export type Teammate = z.infer<typeof teammateSchema>;

export const teamListItemSchema = z
  .strictObject({ id: idField('The id of the team.'), name: textField('The name of the team.') })
  .meta({
    id: 'Team',
    description: 'A team that conversations can be assigned to.',
    examples: [exampleTeam],
  });

const companySchema = z
  .strictObject({ id: idField('The id of the company.'), name: textField('The name of the company.') })
  .meta({
    id: 'Company',
    description: 'The company of a contact, matched by the domain of the email address.',
    examples: [exampleContact.company],
  });

/**
 * Timestamp format of the contract: milliseconds and the offset `+00:00`, never `Z` (docs/rulings.md 1.2).
 */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+00:00$/;

export const contactSchema = z
  .strictObject({
    id: idField('The id of the contact.'),
    name: nullableText('First and last name.'),
    first_name: nullableText('The name up to its first space.'),
    last_name: nullableText('The rest of the name.'),
    email: nullableText('The email address, in lowercase.'),
    phone: nullableText('The phone number, as given.'),
    city: nullableText('The city the contact lives in.'),
    language: nullableText('The code of the language, for example `en`.'),
    company: companySchema.nullable(),
    created_at: timestampField('When the contact was created.'),
    url: urlField('The contact in the app.'),
  })
  .meta({ id: 'Contact', description: 'A person who writes to the workspace.', examples: [exampleContact] });

export const conversationSchema = z
  .strictObject({
    id: idField('The id of the conversation.'),
    subject: nullableText('The subject; channels without one have `null`.'),
    status: z.enum(ConversationStatus).meta({ description: 'The status of the conversation.' }),
    priority: z.enum(Priority).meta({ description: 'The priority of the conversation.' }),
    channel: z.enum(Channel).meta({ description: 'The channel of the conversation.' }),
    tags: z.array(z.string()).meta({ description: 'Its tags, in the order they were added.' }),
    assignee: teammateSchema.nullable().meta({ description: 'The teammate to whom it is assigned.' }),
    team: teamListItemSchema.nullable().meta({ description: 'The team of the conversation.' }),
    contact: contactSchema.nullable().meta({ description: 'The contact of the conversation.' }),
    created_at: timestampField('When it was created.'),
    updated_at: timestampField('When it was last changed.'),
    resolved_at: timestampField('When it was last solved. Unchanged when it is reopened.').nullable(),
    url: urlField('The conversation in the inbox.'),
  })
  .meta({
    id: 'Conversation',
    description: 'A conversation with a contact on one channel.',
    examples: [exampleConversation],
  });

/** A conversation in the format of the contract (docs/spec.md §2), in responses, samples and events. */
export type ConversationRecord = z.infer<typeof conversationSchema>;

/** A contact in the format of the contract (docs/spec.md §2), in responses, samples and events. */
export type ContactRecord = z.infer<typeof contactSchema>;

export const messageSchema = z
  .strictObject({
    id: idField('The id of the message.'),
    content: textField('The text of the message.'),
    created_at: timestampField('When the message arrived.'),
    attachments_count: z.int().min(0).meta({ description: 'The number of attached files.' }),
  })
  .meta({ id: 'Message', description: 'A message from a contact.', examples: [exampleMessage] });

export const ratingSchema = z
  .strictObject({
    score: z.int().min(1).max(5).meta({ description: 'From 1, very unhappy, to 5, very happy.' }),
    comment: nullableText('The comment of the contact.'),
  })
  .meta({ id: 'Rating', description: 'A satisfaction rating by a contact.', examples: [exampleRating] });

export const replySchema = z
  .strictObject({
    id: idField('The id of the reply.'),
    conversation_id: idField('The conversation it is in.'),
    content: textField('The text of the reply.'),
    created_at: timestampField('When it was saved.'),
    send_status: z
      .enum(['sent', 'failed', 'held_for_paywall'])
      .nullable()
      .meta({
        description:
          'The result of sending: `sent`; `failed`, with the reason in `delivery_error`; `held_for_paywall`, an email of ' +
          'a workspace without a verified email domain, saved but not sent; `null` on channels that report no result.',
      }),
    delivery_error: nullableText('Why it was not delivered. The reply is saved anyway.'),
    url: urlField('The conversation in the inbox.'),
  })
  .meta({ id: 'Reply', description: 'A reply to the contact.', examples: [exampleReply] });

export const noteSchema = z
  .strictObject({
    id: idField('The id of the note.'),
    conversation_id: idField('The conversation it is in.'),
    content: textField('The text of the note.'),
    created_at: timestampField('When it was created.'),
    url: urlField('The conversation in the inbox.'),
  })
  .meta({ id: 'Note', description: 'An internal note, invisible to the contact.', examples: [exampleNote] });

/** A note in the format of the contract (docs/spec.md §2). */
export type NoteRecord = z.infer<typeof noteSchema>;

/** A reply in the format of the contract (docs/spec.md §2). */
export type ReplyRecord = z.infer<typeof replySchema>;

/** A satisfaction rating in the format of the contract (docs/spec.md §2). */
export type RatingRecord = z.infer<typeof ratingSchema>;

/** A contact's message in the format of the contract (docs/spec.md §2), in events and samples. */
export type MessageRecord = z.infer<typeof messageSchema>;

export const connectionSchema = z
  .strictObject({
    id: idField('The id of the connection.'),
    user_id: idField('The teammate the connection acts as.'),
    user_name: textField('The name of that teammate.'),
    email: textField('The email address of that teammate.'),
    workspace_id: idField('The workspace the connection acts in.'),
    workspace_name: textField('The name of that workspace.'),
  })
  .meta({
    id: 'Connection',
    description: 'The teammate and workspace that the access token acts for.',
    examples: [exampleConnection],
  });

export function timestampField(description: string) {
  return z
    .string()
    .regex(TIMESTAMP)
    .meta({ description, override: { type: 'string', format: 'date-time' } });
}

/** The UUID of a record. Omits the format's pattern from the document, as it does not help readers. */
export function idField(description: string) {
  return z.uuid().meta({ description, override: ({ jsonSchema }) => void delete jsonSchema.pattern });
}

export function textField(description: string) {
  return z.string().meta({ description });
}

export function nullableText(description: string) {
  return z.string().nullable().meta({ description });
}

export function urlField(description: string) {
  return z.url().meta({ description });
}
