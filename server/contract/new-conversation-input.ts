import { z } from 'zod';
import { optionalName, requiredContent, requiredEmail, requiredText } from '#server/contract/fields.ts';

/** Input of a new conversation, for the API and for the form in the inbox. */
export const newConversationInput = z.object({
  to_email: requiredEmail({
    label: 'recipient’s email address (to_email)',
    max: 254,
    description: 'The address to write to: not one of the workspace’s own addresses and not a teammate’s.',
    example: 'ada@engines.example',
  }),
  to_name: optionalName({
    label: 'recipient’s name (to_name)',
    max: 160,
    description: 'The name, used when the contact is new.',
    example: 'Ada Lovelace',
  }),
  subject: requiredText({
    label: 'subject',
    max: 200,
    description: 'The subject of the email.',
    example: 'Your order',
  }),
  content: requiredContent({
    label: 'content',
    max: 8000,
    description: 'The text of the email.',
    example: 'Hello Ada, your order is on its way.',
  }),
});
