import { z } from 'zod';
import { listOf, optional, text } from '#server/inbox/channels/meta/lenient.ts';

const media = optional(
  z.object({ id: z.string().regex(/^\d{1,40}$/), mime_type: text, filename: text, caption: text }),
);

const contactShape = z.object({
  name: optional(z.object({ formatted_name: text, first_name: text, last_name: text })),
  phones: listOf(z.object({ phone: text, wa_id: text })),
  emails: listOf(z.object({ email: text })),
});

/** What a message holds beside who sent it when (WhatsApp, webhooks, messages). */
export const contentShape = z.object({
  type: z.string().catch('unknown'),
  text: optional(z.object({ body: z.string() })),
  image: media,
  video: media,
  audio: media,
  voice: media,
  document: media,
  sticker: media,
  location: optional(z.object({ latitude: z.number(), longitude: z.number(), name: text, address: text })),
  contacts: listOf(contactShape),
  button: optional(z.object({ text: text })),
  interactive: optional(
    z.object({
      button_reply: optional(z.object({ title: text })),
      list_reply: optional(z.object({ title: text, description: text })),
      nfm_reply: optional(z.object({ body: text, name: text, response_json: text })),
    }),
  ),
  order: optional(
    z.object({
      text: text,
      product_items: listOf(z.object({ product_retailer_id: text, quantity: z.coerce.number().catch(1) })),
    }),
  ),
  unsupported: optional(z.object({ type: text })),
});

export type WhatsappContent = z.infer<typeof contentShape>;

/** A message that somebody wrote to the number. The phone number may be missing; the user id never is. */
export const messageShape = contentShape.extend({
  id: z.string().min(1).max(300),
  timestamp: z.coerce.number(),
  from: text,
  from_user_id: text,
  edit: optional(z.object({ original_message_id: z.string(), message: contentShape })),
  revoke: optional(z.object({ original_message_id: z.string() })),
});

export type WhatsappMessage = z.infer<typeof messageShape>;

/** A message that the number sent from the app on a phone. */
const echoShape = contentShape.extend({
  id: z.string().min(1).max(300),
  to: text,
  to_user_id: text,
});

const errorShape = z.object({
  code: z.number(),
  title: text,
  message: text,
  error_data: optional(z.object({ details: text })),
});

export const valueShape = z.object({
  metadata: z.object({ phone_number_id: z.string() }),
  contacts: listOf(
    z.object({
      profile: optional(z.object({ name: text, username: text })),
      wa_id: text,
      user_id: text,
    }),
  ),
  messages: listOf(messageShape),
  message_echoes: listOf(echoShape),
  statuses: listOf(z.object({ id: z.string(), status: z.string(), errors: listOf(errorShape) })),
});

/** A webhook of WhatsApp: several business accounts with several changes each. */
export const bodyShape = z.object({
  object: text,
  entry: listOf(
    z.object({
      changes: listOf(z.object({ field: z.string(), value: z.unknown() })),
    }),
  ),
});
