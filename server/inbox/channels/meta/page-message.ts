import { z } from 'zod';
import { listOf, number, optional, text } from '#server/inbox/channels/meta/lenient.ts';

const attachmentShape = z.object({
  type: z.string(),
  payload: optional(
    z.object({
      url: text,
      title: text,
      sticker_id: number,
      coordinates: optional(z.object({ lat: z.number(), long: z.number() })),
    }),
  ),
  title: text,
});

export type PageAttachment = z.infer<typeof attachmentShape>;

const messageShape = z.object({
  mid: z.string().min(1).max(500),
  text,
  is_echo: z.boolean().catch(false),
  is_deleted: z.boolean().catch(false),
  is_unsupported: z.boolean().catch(false),
  attachments: listOf(attachmentShape),
});

export type PageMessage = z.infer<typeof messageShape>;

const person = z.object({ id: z.string().regex(/^\d{1,40}$/) });

/** One thing that happened in a thread with a page or an Instagram account (Messenger Platform, webhook events). */
const messagingShape = z.object({
  sender: person,
  recipient: person,
  timestamp: z.number(),
  message: optional(messageShape),
  message_edit: optional(z.object({ mid: z.string(), text })),
  postback: optional(z.object({ mid: text, title: text })),
});

export type PageMessaging = z.infer<typeof messagingShape>;

/** A webhook of Messenger or Instagram: several accounts with several updates each. */
export const pageBodyShape = z.object({
  object: text,
  entry: listOf(z.object({ id: z.string(), messaging: listOf(messagingShape) })),
});
