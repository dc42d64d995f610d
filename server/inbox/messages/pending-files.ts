import { z } from 'zod';
import type { StoredFile } from '#server/inbox/files/store-file.ts';

const shape = z.array(
  z.object({ id: z.uuid(), name: z.string(), contentType: z.string(), sizeBytes: z.number().int() }),
);

/** The files of a reply that waits, as its row holds them. */
export function parsePendingFiles(attachments: unknown): StoredFile[] {
  return shape.parse(attachments);
}
