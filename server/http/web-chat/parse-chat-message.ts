import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { CONTACT_MAX } from '#server/contacts/contact-fields.ts';
import { fieldErrors, optionalEmail, optionalName, textProblem } from '#server/contract/fields.ts';
import { type FieldErrors, invalid, refusalIn } from '#server/core/errors.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { withUploadPermit } from '#server/http/files/upload-permit.ts';
import { waitForBodyRate } from '#server/http/request/body-limits.ts';
import { FormProblem, type FormProblemKind, readMultipart } from '#server/http/request/read-multipart.ts';
import { RequestProblem } from '#server/http/response/request-problem.ts';
import {
  ATTACHMENT_MAX_BYTES,
  ATTACHMENTS_MAX,
  ATTACHMENTS_MAX_BYTES,
  type AttachmentProblem,
  attachmentProblem,
  TOO_LARGE,
  TOO_LARGE_TOGETHER,
  TOO_MANY,
} from '#server/inbox/files/content-types.ts';
import { hasRoom } from '#server/inbox/files/file-quota.ts';
import { NO_ROOM } from '#server/inbox/files/reserving.ts';
import { discardFiles, type StoredFile, storeFile } from '#server/inbox/files/store-file.ts';
import type { VisitorMessage } from '#server/inbox/web-chat/write-message.ts';

/** In characters. */
const VISITOR_MESSAGE_MAX_LENGTH = 8_000;
/** Size of a form without its files: a long message in UTF-8, boundaries and headers. */
const REST_MAX_BYTES = 100_000;

export const CHAT_BODY_MAX_BYTES = ATTACHMENTS_MAX_BYTES + REST_MAX_BYTES;

const LIMITS = {
  fields: 15,
  fieldBytes: 64 * 1024,
  files: ATTACHMENTS_MAX,
  fileBytes: ATTACHMENT_MAX_BYTES,
  filesBytes: ATTACHMENTS_MAX_BYTES,
  bodyBytes: CHAT_BODY_MAX_BYTES,
};

const UNREADABLE = 'The message could not be read. Reload the page and send it again.';

/** The parsed message, or the status and body of a refusal. */
type ParsedMessage =
  | { kind: 'message'; message: VisitorMessage }
  | { kind: 'refused'; status: 413 | 422; message: string; errors: FieldErrors };

const fields = z.object({
  id: z.uuid(UNREADABLE),
  content: z.string(UNREADABLE),
  name: optionalName({ label: 'name', max: CONTACT_MAX.name, description: '' }),
  email: optionalEmail({ label: 'email address', max: CONTACT_MAX.email, description: '' }),
});

/** The sender's workspace, and the keys of its limits. */
type Sender = { workspaceId: string; visitorKey: string; address: string };

/**
 * Parses a visitor's message: a form (`multipart/form-data`) with `id`, `content`, optional `name` and
 * `email`, and `files`, which are stored while streaming. Files of a refused message are deleted.
 * @throws RequestProblem when the body arrives too slowly, or too many bodies are in flight
 */
export async function parseMessage(req: IncomingMessage, sender: Sender): Promise<ParsedMessage> {
  if (Number(req.headers['content-length']) > LIMITS.bodyBytes) {
    return refusedFiles({ kind: 'too_large', message: TOO_LARGE_TOGETHER });
  }
  const stored: StoredFile[] = [];
  const read = await withUploadPermit(req, sender, () => readForm(req, sender, stored)).catch(
    async (error: unknown) => {
      await discardFiles(stored.map(({ id }) => id));
      const refusal = error instanceof FormProblem ? FORM_PROBLEMS[error.formProblem] : undefined;
      if (refusal) return refusal;
      const errors = refusalIn(error)?.errors;
      if (errors) return refused(errors);
      throw error;
    },
  );
  if (read.kind === 'refused') await discardFiles(stored.map(({ id }) => id));
  return read;
}

async function readForm(req: IncomingMessage, sender: Sender, stored: StoredFile[]): Promise<ParsedMessage> {
  const { workspaceId } = sender;
  const texts = await readMultipart(req, LIMITS, async ({ field, name, contentType, source }) => {
    if (field !== 'files') return drain(source);
    if (!(await hasRoom(workspaceId))) throw invalid({ files: [NO_ROOM] });
    stored.push(await storeFile(workspaceId, { name, contentType, source: countFileBytes(source, sender) }));
  });
  const read = fields.safeParse(Object.fromEntries(texts));
  if (!read.success) return refused(fieldErrors(read.error));
  const problem = contentProblem(read.data.content, stored.length);
  if (problem) return refused({ content: [problem] });
  const wrong = attachmentProblem(stored.map(({ name, sizeBytes }) => ({ name, size: sizeBytes })));
  if (wrong) return refusedFiles(wrong);
  return { kind: 'message', message: { ...read.data, attachments: stored } };
}

function refused(errors: FieldErrors): ParsedMessage {
  return { kind: 'refused', status: 422, message: Object.values(errors)[0]?.[0] ?? UNREADABLE, errors };
}

function refusedFiles({ kind, message }: AttachmentProblem): ParsedMessage {
  return { kind: 'refused', status: kind === 'too_large' ? 413 : 422, message, errors: { files: [message] } };
}

const FORM_PROBLEMS: Record<FormProblemKind, ParsedMessage> = {
  malformed: refused({ body: [UNREADABLE] }),
  too_many_files: refusedFiles({ kind: 'invalid', message: TOO_MANY }),
  file_too_large: refusedFiles({ kind: 'too_large', message: TOO_LARGE }),
  files_too_large: refusedFiles({ kind: 'too_large', message: TOO_LARGE_TOGETHER }),
};

async function drain(source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _piece of source);
}

function contentProblem(content: string, files: number): string | undefined {
  if (content.trim() === '' && files === 0) return 'Write something, or add a file.';
  return textProblem(content, { label: 'message', max: VISITOR_MESSAGE_MAX_LENGTH });
}

/** Bytes that pass before they are counted. */
const STEP_BYTES = 1024 * 1024;

/**
 * Passes a file on at the rate of its IP address, and counts its bytes against the limits of its visitor and
 * address.
 * @throws RequestProblem `429` in the middle of the file when a limit is used up
 */
async function* countFileBytes(
  source: AsyncIterable<Uint8Array>,
  { visitorKey, address }: { visitorKey: string; address: string },
): AsyncGenerator<Uint8Array> {
  let uncounted = 0;
  const count = async () => {
    const kib = Math.ceil(uncounted / 1024);
    uncounted = 0;
    if (kib === 0) return;
    for (const [limit, key] of [
      ['chat_file_kib_address', address],
      ['chat_file_kib', visitorKey],
    ] as const) {
      const { allowed, retryAfterSeconds } = await consumeLimit(limit, key, kib);
      if (!allowed) throw new RequestProblem(429, sentence(retryAfterSeconds), retryAfterSeconds);
    }
  };
  for await (const piece of source) {
    uncounted += piece.length;
    if (uncounted >= STEP_BYTES) await count();
    await waitForBodyRate(address, piece.length);
    yield piece;
  }
  await count();
}

function sentence(retryAfterSeconds: number): string {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `The chat cannot accept more files for now. Wait ${wait}, or write without files.`;
}
