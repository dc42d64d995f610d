import { z } from 'zod';
import { EVENTS, type EventKey, type EventPayloads, schemaName } from '#server/contract/event-catalogue.ts';
import { exampleSample } from '#server/contract/event-examples.ts';
import {
  contactSchema,
  conversationSchema,
  idField,
  messageSchema,
  ratingSchema,
  teammateSchema,
  textField,
  timestampField,
} from '#server/contract/record-schemas.ts';
import { ConversationStatus } from '#server/generated/prisma/enums.ts';

const conversation = conversationSchema.meta({
  description: 'The conversation as it was right after the change.',
});

/** A schema for exactly the fields of a payload. */
export type FieldsOf<Payload> = { [Name in keyof Payload]: z.ZodType<Payload[Name]> };

/** Fields of each event besides the envelope (docs/spec.md §6). */
export const eventExtras = {
  'conversation.created': { conversation },
  'conversation.status_changed': {
    conversation,
    previous_status: z
      .enum(ConversationStatus)
      .nullable()
      .meta({ description: 'The previous status; always `null` in samples.' }),
  },
  'conversation.assigned': {
    conversation,
    previous_assignee: teammateSchema
      .nullable()
      .meta({ description: 'The previous assignee, if any; always `null` in samples.' }),
  },
  'conversation.tagged': {
    conversation,
    added_tags: z.array(z.string()).meta({ description: 'Only the newly added tags.' }),
  },
  'conversation.rated': { conversation, rating: ratingSchema },
  'message.received': { conversation, message: messageSchema },
  'contact.created': { contact: contactSchema },
  'operator.command': {
    conversation,
    command: textField('The name of the command, in lowercase.'),
    arguments: textField('The text after the command; may be empty.'),
    operator: teammateSchema.meta({ description: 'The teammate who ran the command.' }),
  },
} satisfies { [Key in EventKey]: FieldsOf<EventPayloads[Key]> };

function eventSchema<Key extends EventKey, Id extends z.ZodType<string>>(key: Key, id: Id) {
  return z.strictObject({
    id,
    event: z.literal(key).meta({ description: 'What happened.' }),
    occurred_at: timestampField('When it happened.'),
    ...eventExtras[key],
  });
}

function deliverySchema<Key extends EventKey>(key: Key) {
  const id = idField('The id of the event, the same in every delivery.');
  const { description } = EVENTS[key];
  return eventSchema(key, id).meta({ id: `${schemaName(key)}Event`, description });
}

function sampleSchema<Key extends EventKey>(key: Key) {
  const id = textField(
    `\`${key}:\` and the id of the record, so that a repeated request returns the same samples.`,
  );
  const description = `A sample of ${EVENTS[key].name}.`;
  return eventSchema(key, id).meta({ id: `${schemaName(key)}Sample`, description });
}

/** Schemas of delivered events, by key (docs/spec.md §6). */
export const eventSchemas = {
  'conversation.created': deliverySchema('conversation.created'),
  'conversation.status_changed': deliverySchema('conversation.status_changed'),
  'conversation.assigned': deliverySchema('conversation.assigned'),
  'conversation.tagged': deliverySchema('conversation.tagged'),
  'conversation.rated': deliverySchema('conversation.rated'),
  'message.received': deliverySchema('message.received'),
  'contact.created': deliverySchema('contact.created'),
  'operator.command': deliverySchema('operator.command'),
} satisfies Record<EventKey, z.ZodType>;

/** Schemas of samples, by key: `id` is a text, `<event key>:<record id>` (docs/rulings.md 5.10). */
export const sampleSchemas = {
  'conversation.created': sampleSchema('conversation.created'),
  'conversation.status_changed': sampleSchema('conversation.status_changed'),
  'conversation.assigned': sampleSchema('conversation.assigned'),
  'conversation.tagged': sampleSchema('conversation.tagged'),
  'conversation.rated': sampleSchema('conversation.rated'),
  'message.received': sampleSchema('message.received'),
  'contact.created': sampleSchema('contact.created'),
  'operator.command': sampleSchema('operator.command'),
} satisfies Record<EventKey, z.ZodType>;

const { 'conversation.created': firstSample, ...otherSamples } = sampleSchemas;

export const anySampleSchema = z
  .discriminatedUnion('event', [firstSample, ...Object.values(otherSamples)])
  .meta({
    id: 'Sample',
    description: 'A recent event of the workspace, in the format of a delivery.',
    examples: [exampleSample('conversation.created')],
  });
