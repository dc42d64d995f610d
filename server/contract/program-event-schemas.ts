import { z } from 'zod';
import { eventExtras, type FieldsOf } from '#server/contract/event-schemas.ts';
import {
  LOGGED_EVENT_KEYS,
  type LoggedEventKey,
  type ProgramEventPayloads,
} from '#server/contract/program-events.ts';
import {
  contactSchema,
  conversationSchema,
  idField,
  noteSchema,
  replySchema,
  teammateSchema,
  timestampField,
} from '#server/contract/record-schemas.ts';

const conversation = conversationSchema.meta({
  description: 'The conversation as it was right after the change.',
});
const contact = contactSchema.meta({ description: 'The contact as it was right after the change.' });

const programExtras = {
  'conversation.unassigned': {
    conversation,
    previous_assignee: teammateSchema.meta({ description: 'The previous assignee.' }),
  },
  'conversation.tag_removed': {
    conversation,
    removed_tags: z.array(z.string()).meta({ description: 'The tags that were removed.' }),
  },
  'conversation.merged': {
    conversation: conversationSchema.meta({ description: 'The conversation that remains.' }),
    merged_conversation_id: idField('The conversation that was merged into it.'),
  },
  'conversation.deleted': {
    conversation_id: idField('The conversation.'),
    reason: z.enum(['deleted', 'spam']).meta({ description: 'Whether it was deleted or marked as spam.' }),
  },
  'reply.sent': { conversation, reply: replySchema },
  'reply.failed': { conversation, reply: replySchema },
  'note.added': { conversation, note: noteSchema },
  'contact.updated': {
    contact,
    changed_fields: z.array(z.string()).meta({ description: 'The fields of `contact` that changed.' }),
  },
  'contact.merged': {
    contact: contactSchema.meta({ description: 'The contact that remains.' }),
    merged_contact_id: idField('The contact that was merged into it.'),
  },
} satisfies { [Key in keyof ProgramEventPayloads]: FieldsOf<ProgramEventPayloads[Key]> };

/** The fields of each event of the log besides the envelope. */
export const loggedExtras: Record<LoggedEventKey, z.ZodRawShape> = { ...eventExtras, ...programExtras };

/** Schemas of the recorded bodies of all events, by key. */
export const loggedSchemas = Object.fromEntries(
  LOGGED_EVENT_KEYS.map((key) => [
    key,
    z.strictObject({
      id: idField('The id of the event.'),
      event: z.literal(key),
      occurred_at: timestampField('When it happened.'),
      ...loggedExtras[key],
    }),
  ]),
);
