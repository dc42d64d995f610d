import { z } from 'zod';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { exampleHook } from '#server/contract/record-examples.ts';
import { idField, nullableText, textField, timestampField } from '#server/contract/record-schemas.ts';
import { ConversationStatus } from '#server/generated/prisma/enums.ts';

export const hookSchema = z
  .strictObject({
    id: idField('The id of the hook, needed to unsubscribe it.'),
    event: z.enum(EVENT_KEYS).meta({ description: 'The event it listens for.' }),
    target_url: textField('The address to which events are sent, as given.'),
    command: nullableText('The filter of `operator.command`, if there is one.'),
    status: z
      .enum(ConversationStatus)
      .nullable()
      .meta({ description: 'The filter of `conversation.status_changed`, if there is one.' }),
    tag: nullableText('The filter of `conversation.tagged`, if there is one.'),
    created_at: timestampField('When it was subscribed.'),
  })
  .meta({
    id: 'Hook',
    description: 'A subscription to one event, with its filter.',
    examples: [exampleHook],
  });

/** A hook in the format of the contract (docs/spec.md §2). */
export type HookRecord = z.infer<typeof hookSchema>;

export const hookDeletedSchema = z
  .strictObject({ id: textField('The requested id.'), deleted: z.literal(true) })
  .meta({
    id: 'HookDeleted',
    description: 'No hook with this id is live in the workspace.',
    examples: [{ id: exampleHook.id, deleted: true }],
  });
