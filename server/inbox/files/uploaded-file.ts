import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { signForPurpose } from '#server/core/secrets.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';

/** A file that a teammate uploaded for a message, as their page holds it: `signature` says that we wrote the rest. */
export const uploadedFileShape = z.object({
  id: z.uuid(),
  name: z.string().max(500),
  contentType: z.string().max(200),
  sizeBytes: z.number().int().positive(),
  signature: z.string().max(100),
});

export type UploadedFile = z.output<typeof uploadedFileShape>;

const PURPOSE = 'uploaded file';

/** A stored file as it goes to the page of a teammate. */
export function signUploaded(workspaceId: string, file: StoredFile): UploadedFile {
  const { id, name, contentType, sizeBytes } = file;
  return {
    id,
    name,
    contentType,
    sizeBytes,
    signature: signatureOf(workspaceId, file).toString('base64url'),
  };
}

/**
 * The file as it was stored, or undefined when its page says something else of it: name and kind were made harmless
 * when it was stored, and no one can change them afterwards. Compared in constant time.
 */
export function openUploaded(workspaceId: string, file: UploadedFile): StoredFile | undefined {
  const { signature, ...stored } = file;
  const expected = signatureOf(workspaceId, stored);
  const claimed = Buffer.from(signature, 'base64url');
  return claimed.length === expected.length && timingSafeEqual(claimed, expected) ? stored : undefined;
}

function signatureOf(workspaceId: string, { id, name, contentType, sizeBytes }: StoredFile): Buffer {
  return signForPurpose(
    PURPOSE,
    Buffer.from(JSON.stringify([workspaceId, id, name, contentType, sizeBytes])),
  );
}
