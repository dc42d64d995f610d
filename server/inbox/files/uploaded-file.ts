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

/** Maximum length of a reference, in characters: a file name has at most 500. */
export const REFERENCE_MAX_LENGTH = 4_000;

/** Returns one text for a stored file and its signature, for programs. */
export function referToUploaded(workspaceId: string, file: StoredFile): string {
  const { signature, ...stored } = signUploaded(workspaceId, file);
  return `${Buffer.from(JSON.stringify(stored)).toString('base64url')}.${signature}`;
}

/** Reads a reference of `referToUploaded`; undefined if it is none. Its signature is not checked yet: see `openUploaded`. */
export function parseReference(reference: string): UploadedFile | undefined {
  const [stored = '', signature] = reference.split('.');
  try {
    const file: unknown = JSON.parse(Buffer.from(stored, 'base64url').toString());
    return uploadedFileShape.safeParse({ ...(file as object), signature }).data;
  } catch {
    return undefined;
  }
}

function signatureOf(workspaceId: string, { id, name, contentType, sizeBytes }: StoredFile): Buffer {
  return signForPurpose(
    PURPOSE,
    Buffer.from(JSON.stringify([workspaceId, id, name, contentType, sizeBytes])),
  );
}
