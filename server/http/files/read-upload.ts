import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { invalid, refusalIn } from '#server/core/errors.ts';
import { withUploadPermit } from '#server/http/files/upload-permit.ts';
import { FormProblem, type FormProblemKind, readMultipart } from '#server/http/request/read-multipart.ts';
import { ATTACHMENT_MAX_BYTES, TOO_LARGE } from '#server/inbox/files/content-types.ts';
import { hasRoom } from '#server/inbox/files/file-quota.ts';
import { discardFiles, type StoredFile, storeFile } from '#server/inbox/files/store-file.ts';

export const UPLOAD_LIMITS = {
  fields: 0,
  fieldBytes: 0,
  files: 1,
  fileBytes: ATTACHMENT_MAX_BYTES,
  filesBytes: ATTACHMENT_MAX_BYTES,
  bodyBytes: ATTACHMENT_MAX_BYTES + 100_000,
};

const NO_SPACE = 'The file storage of this workspace is full, so no file can be added.';

type Refused = { status: 413 | 422; message: string };
/** `digest`: SHA-256 of the content. */
type Upload = { file: StoredFile; digest: string };

/**
 * Stores the file of a form (`multipart/form-data`) that has nothing else. Nothing of a refused form is stored.
 * @param sender owner of the simultaneous uploads
 * @param options `unreadable`: message for a body that is no such form. `unlinkedMs`: lifetime without a message
 */
export async function readUpload(
  req: IncomingMessage,
  sender: { visitorKey: string; address: string; workspaceId: string },
  options: { unreadable: string; unlinkedMs?: number },
): Promise<Upload | Refused> {
  if (Number(req.headers['content-length']) > UPLOAD_LIMITS.bodyBytes) return PROBLEMS.file_too_large;
  return withUploadPermit(req, sender, () => readForm(req, sender.workspaceId, options));
}

async function readForm(
  req: IncomingMessage,
  workspaceId: string,
  { unreadable, ...lifetime }: { unreadable: string; unlinkedMs?: number },
): Promise<Upload | Refused> {
  const stored: StoredFile[] = [];
  const hash = createHash('sha256');
  try {
    await readMultipart(req, UPLOAD_LIMITS, async ({ name, contentType, source }) => {
      if (!(await hasRoom(workspaceId))) throw invalid({ file: [NO_SPACE] });
      const file = { name, contentType, source: hashing(source, hash), ...lifetime };
      stored.push(await storeFile(workspaceId, file));
    });
  } catch (error) {
    await discardFiles(stored.map(({ id }) => id));
    if (error instanceof FormProblem)
      return PROBLEMS[error.formProblem] ?? { status: 422, message: unreadable };
    if (refusalIn(error)) return { status: 422, message: NO_SPACE };
    throw error;
  }
  const [file] = stored;
  if (!file) return { status: 422, message: unreadable };
  if (file.sizeBytes > 0) return { file, digest: hash.digest('hex') };
  await discardFiles([file.id]);
  return { status: 422, message: `The file “${file.name}” is empty.` };
}

/** Passes a stream through and hashes it. */
async function* hashing(source: AsyncIterable<Uint8Array>, hash: { update: (piece: Uint8Array) => unknown }) {
  for await (const piece of source) {
    hash.update(piece);
    yield piece;
  }
}

const PROBLEMS = {
  malformed: undefined,
  too_many_files: undefined,
  file_too_large: { status: 413, message: TOO_LARGE },
  files_too_large: { status: 413, message: TOO_LARGE },
} as const satisfies Record<FormProblemKind, Refused | undefined>;
