import { sendPage } from '#server/inbox/channels/meta/send-page.ts';
import type { OutgoingMessage, SendOutcome } from '#server/inbox/channels/outgoing-message.ts';
import { splitBytes } from '#server/inbox/channels/sending/split-bytes.ts';

/** The text of a message has so many bytes of UTF-8 at most (Instagram, send messages). */
const TEXT_MAX_BYTES = 1000;
const MB = 1024 * 1024;
/** What is taken, and up to which size (Instagram, upload media). */
const MEDIA = [
  { type: 'image', maxBytes: 8 * MB, contentTypes: ['image/png', 'image/jpeg', 'image/gif'] },
  {
    type: 'audio',
    maxBytes: 25 * MB,
    contentTypes: ['audio/aac', 'audio/mp4', 'audio/x-m4a', 'audio/m4a', 'audio/wav', 'audio/x-wav'],
  },
  {
    type: 'video',
    maxBytes: 25 * MB,
    contentTypes: ['video/mp4', 'video/ogg', 'video/x-msvideo', 'video/quicktime', 'video/webm'],
  },
  { type: 'file', maxBytes: 25 * MB, contentTypes: ['application/pdf'] },
];

/** Sends a message to a person on Instagram. */
export function sendInstagram(message: OutgoingMessage): Promise<SendOutcome> {
  return sendPage(message, {
    channel: 'instagram',
    split: (text) => splitBytes(text, TEXT_MAX_BYTES),
    mediaOf: (contentType) => MEDIA.find(({ contentTypes }) => contentTypes.includes(contentType)) ?? null,
    uploadFields: { platform: 'instagram' },
  });
}
