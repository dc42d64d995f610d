import { z } from 'zod';
import { EVENT_ACTORS } from '#server/contract/event-actor.ts';
import {
  exampleContact,
  exampleConversation,
  exampleMessage,
  exampleNote,
  exampleTeammate,
} from '#server/contract/record-examples.ts';
import {
  conversationSchema,
  idField,
  nullableText,
  replySchema,
  textField,
  timestampField,
  urlField,
} from '#server/contract/record-schemas.ts';
import { MessageDirection } from '#server/generated/prisma/enums.ts';

const exampleDetails = {
  ...exampleConversation,
  last_message_at: exampleConversation.created_at,
  snoozed_until: null,
  merged_into_id: null,
};

export const conversationDetailsSchema = z
  .object({
    ...conversationSchema.shape,
    last_message_at: timestampField('When its newest message was sent or arrived.'),
    snoozed_until: timestampField('When a snoozed conversation opens again.').nullable(),
    merged_into_id: z
      .uuid()
      .nullable()
      .meta({
        description: 'The conversation that it was merged into. A merged conversation can only be read.',
        override: ({ jsonSchema }) => void delete jsonSchema.pattern,
      }),
  })
  .meta({
    id: 'ConversationDetails',
    description: 'A conversation with a contact on one channel.',
    examples: [exampleDetails],
  });

const actorShape = {
  type: z.enum(EVENT_ACTORS).meta({
    description: 'As the `actor` of an event: `program` is an API token, `platform` the workflow platform.',
  }),
  id: z.uuid().nullable().meta({ description: 'The id of the teammate or contact, if known.' }),
  name: nullableText('The name of the teammate or contact; `null` for the workspace.'),
};

const programField = nullableText(
  'The label of the API token that wrote it, if one did. The contact never sees it.',
);

const fileSchema = z
  .object({
    id: idField('The id of the file.'),
    name: textField('The file name.'),
    content_type: textField('The media type.'),
    size_bytes: z.int().min(0).meta({ description: 'The size in bytes.' }),
    is_inline: z.boolean().meta({ description: 'True for a picture within the text.' }),
    url: urlField('Returns the file to a request with the API token in `Authorization`.'),
  })
  .meta({ id: 'File', description: 'A file of a message.' });

export const messageDetailsSchema = z
  .object({
    id: idField('The id of the message.'),
    conversation_id: idField('Its conversation, which may be one that was merged into the requested one.'),
    direction: z.enum(MessageDirection).meta({
      description:
        '`inbound`: to the workspace. `outbound`: to the contact. `forward`: an email to somebody else.',
    }),
    author: z
      .object({
        ...actorShape,
        email: nullableText('The address that an email came from, or the contact’s address.'),
      })
      .meta({ description: 'Who wrote it.' }),
    program: programField,
    content: textField('The text. Of an email, what its author newly wrote.'),
    is_automatic: z.boolean().meta({ description: 'True if a machine wrote it, such as an absence note.' }),
    to: z.array(z.string()).meta({
      description: 'Email: the recipients. Empty for messages to the contact.',
    }),
    cc: z.array(z.string()).meta({ description: 'Email: the recipients of a copy.' }),
    bcc: z.array(z.string()).meta({ description: 'Email: the hidden recipients of a sent email.' }),
    attachments: z.array(fileSchema).meta({ description: 'Its files.' }),
    send_status: replySchema.shape.send_status,
    delivery_error: replySchema.shape.delivery_error,
    created_at: timestampField('When it was written or arrived.'),
    edited_at: timestampField('When the contact last edited it.').nullable(),
  })
  .meta({
    id: 'MessageDetails',
    description: 'A message of a conversation.',
    examples: [
      {
        id: exampleMessage.id,
        conversation_id: exampleConversation.id,
        direction: 'inbound',
        author: {
          type: 'contact',
          id: exampleContact.id,
          name: exampleContact.name,
          email: exampleContact.email,
        },
        program: null,
        content: exampleMessage.content,
        is_automatic: false,
        to: ['support@northwind.example'],
        cc: [],
        bcc: [],
        attachments: [
          {
            id: '01a4d7f0-3c4d-7e5f-8061-7c8d9e0f1a2c',
            name: 'receipt.pdf',
            content_type: 'application/pdf',
            size_bytes: 48_213,
            is_inline: false,
            url: 'https://inbox.example.com/attachments/01a4d7f0-3c4d-7e5f-8061-7c8d9e0f1a2c',
          },
        ],
        send_status: null,
        delivery_error: null,
        created_at: exampleMessage.created_at,
        edited_at: null,
      },
    ],
  });

export const noteDetailsSchema = z
  .object({
    id: idField('The id of the note.'),
    conversation_id: idField('Its conversation, which may be one that was merged into the requested one.'),
    author: z.object(actorShape).meta({ description: 'Who wrote it.' }),
    program: programField,
    content: textField('The text of the note.'),
    created_at: timestampField('When it was created.'),
  })
  .meta({
    id: 'NoteDetails',
    description: 'An internal note, invisible to the contact.',
    examples: [
      {
        id: exampleNote.id,
        conversation_id: exampleConversation.id,
        author: { type: 'teammate', id: exampleTeammate.id, name: exampleTeammate.name },
        program: null,
        content: exampleNote.content,
        created_at: exampleNote.created_at,
      },
    ],
  });

export const tagSchema = z
  .object({ name: textField('The tag, in one of its spellings: tags do not distinguish case.') })
  .meta({ id: 'Tag', description: 'A tag of conversations.', examples: [{ name: 'shipping' }] });
