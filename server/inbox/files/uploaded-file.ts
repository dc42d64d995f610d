import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { textInput } from '#server/contract/text-input.ts';
import { signForPurpose } from '#server/core/secrets.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';

/** A file that a teammate uploaded for a message, as the page holds it. `signature` covers the other fields. */
export const uploadedFileShape = z.object({
  id: z.uuid(),
  name: textInput(500),
  contentType: textInput(200),
  sizeBytes: z.number().int().positive(),
  signature: textInput(100),
});

export type UploadedFile = z.output<typeof uploadedFileShape>;

const PURPOSE = 'uploaded file';

/** Returns a stored file with its signature, for the page of a teammate. */
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
 * Returns the stored file, or undefined when the page changed any field: the sanitized name and type must stay as they
 * are. Compares in constant time.
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
