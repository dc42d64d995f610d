import { z } from 'zod';
import { ATTACHMENTS_MAX, TOO_MANY } from '#server/inbox/files/attachment-rules.ts';
import { uploadedFileShape } from '#server/inbox/files/uploaded-file.ts';
import { COPIES_MAX } from '#server/inbox/messages/parse-copies.ts';

const addresses = z
  .array(z.string().max(320))
  .max(2 * COPIES_MAX)
  .optional();

/** What a message that is written in the inbox carries besides its text; the addresses are judged by `parseCopies`. */
export const enclosuresShape = {
  cc: addresses,
  bcc: addresses,
  files: z.array(uploadedFileShape).max(ATTACHMENTS_MAX, TOO_MANY).optional(),
};
