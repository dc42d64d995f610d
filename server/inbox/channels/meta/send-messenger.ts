import { sendPage } from '#server/inbox/channels/meta/send-page.ts';
import type { OutgoingMessage, SendOutcome } from '#server/inbox/channels/outgoing-message.ts';
import { splitText } from '#server/inbox/channels/sending/split-text.ts';

/** The text of a message has so many characters at most (Send API, message). */
const TEXT_MAX_LENGTH = 2000;
const FILE_MAX_BYTES = 25 * 1024 * 1024;
const KINDS = ['image', 'video', 'audio'];

/** Sends a message to a person on Messenger. */
export function sendMessenger(message: OutgoingMessage): Promise<SendOutcome> {
  return sendPage(message, {
    channel: 'messenger',
    split: (text) => splitText(text, TEXT_MAX_LENGTH),
    mediaOf: (contentType) => {
      const kind = contentType.split('/')[0] ?? '';
      return { type: KINDS.includes(kind) ? kind : 'file', maxBytes: FILE_MAX_BYTES };
    },
    uploadFields: {},
  });
}
