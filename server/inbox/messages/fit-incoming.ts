import { invalid } from '#server/core/errors.ts';
import { truncateText } from '#server/core/truncate-text.ts';
import type { IncomingMessage } from '#server/inbox/messages/incoming-message.ts';

/** How much of a message is kept, in characters; what is sent through the API is much shorter. */
export const CONTENT_MAX_LENGTH = 50_000;
/** How much of a subject is kept, in characters: the longest line that mail may have (RFC 5322 §2.1.1). */
export const SUBJECT_MAX_LENGTH = 998;

const CUT_NOTE = `\n\n[Cut here: the message was longer than ${CONTENT_MAX_LENGTH.toLocaleString('en')} characters.]`;

/**
 * The message as it is kept: content and subject within their lengths, and the attachments counted.
 * @throws Refusal when the number of attachments is none
 */
export function fitIncoming(incoming: IncomingMessage): IncomingMessage {
  const { attachments, content, subject } = incoming;
  const attachmentsCount = attachments?.filter((file) => !file.inline).length ?? incoming.attachmentsCount;
  if (!Number.isInteger(attachmentsCount) || attachmentsCount < 0) {
    const sentence = 'The number of attachments (attachments_count) must be a whole number, 0 or more.';
    throw invalid({ attachments_count: [sentence] });
  }
  return {
    ...incoming,
    attachmentsCount,
    content: truncateText(content, CONTENT_MAX_LENGTH, CUT_NOTE),
    subject: truncateText(subject?.trim() ?? '', SUBJECT_MAX_LENGTH) || null,
  };
}
