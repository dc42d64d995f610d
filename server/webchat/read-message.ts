import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { ATTACHMENTS_MAX_BYTES, attachmentProblem } from '#server/attachments/attachment-rules.ts';
import type { NewAttachment } from '#server/attachments/save-attachments.ts';
import { CONTACT_MAX } from '#server/contacts/contact-limits.ts';
import type { FieldErrors } from '#server/errors.ts';
import { readBytes } from '#server/http/read-bytes.ts';
import { optionalEmail, optionalText, textProblem } from '#server/rest/fields.ts';
import type { VisitorMessage } from '#server/webchat/write-message.ts';

/** How long a message of a visitor may be, in characters. */
export const VISITOR_MESSAGE_MAX_LENGTH = 8_000;
/** What a form needs besides its files: a long message in UTF-8, and what stands between its parts. */
const REST_MAX_BYTES = 100_000;
/** More parts than any message has; each costs time to take apart. */
const PARTS_MAX = 20;

const TOO_LARGE = 'The files of a message can be 20 MB at most, together.';
const UNREADABLE = 'The message could not be read. Reload the page and send it again.';

/** What was sent, or why it cannot be taken: the status and body to answer with. */
export type ReadMessage =
  | { kind: 'message'; message: VisitorMessage }
  | { kind: 'refused'; status: 413 | 422; message: string; errors?: FieldErrors };

const fields = z.object({
  id: z.uuid(),
  content: z.string(),
  name: optionalText({ label: 'name', max: CONTACT_MAX.name, description: '' }),
  email: optionalEmail({ label: 'e-mail address', max: CONTACT_MAX.email, description: '' }),
});

/**
 * Reads a message of a visitor: a form (`multipart/form-data`) with `id`, `content`, perhaps `name` and `email`, and
 * `files`. Nothing is kept of a body that is larger than its files may be.
 */
export async function readMessage(req: IncomingMessage): Promise<ReadMessage> {
  const body = await readBytes(req, ATTACHMENTS_MAX_BYTES + REST_MAX_BYTES);
  if (!body) return { kind: 'refused', status: 413, message: TOO_LARGE, errors: { files: [TOO_LARGE] } };
  const form = await parseForm(req.headers['content-type'] ?? '', body);
  const read = form && fields.safeParse(Object.fromEntries(textsOf(form)));
  if (!read) return refused({ body: [UNREADABLE] });
  if (!read.success) return refused(errorsOf(read.error));
  const files = form.getAll('files').filter((part) => part instanceof File);
  const problem = contentProblem(read.data.content, files.length);
  if (problem) return refused({ content: [problem] });
  const wrong = attachmentProblem(files);
  if (wrong) {
    const status = wrong.kind === 'too_large' ? 413 : 422;
    return { kind: 'refused', status, message: wrong.message, errors: { files: [wrong.message] } };
  }
  return {
    kind: 'message',
    message: { ...read.data, attachments: await Promise.all(files.map(attachmentOf)) },
  };
}

function refused(errors: FieldErrors): ReadMessage {
  return { kind: 'refused', status: 422, message: Object.values(errors)[0]?.[0] ?? UNREADABLE, errors };
}

function contentProblem(content: string, files: number): string | undefined {
  if (content.trim() === '' && files === 0) return 'Write something, or add a file.';
  return textProblem(content, { label: 'message', max: VISITOR_MESSAGE_MAX_LENGTH });
}

/** Node's own parser; undefined for what is no such form. */
async function parseForm(type: string, body: Buffer): Promise<FormData | undefined> {
  const boundary = /;\s*boundary="?([^";]+)/i.exec(type)?.[1];
  if (!/^multipart\/form-data\b/i.test(type) || !boundary || hasTooManyParts(body, boundary))
    return undefined;
  try {
    const headers = { 'content-type': type };
    return await new Response(new Uint8Array(body), { headers }).formData();
  } catch {
    return undefined;
  }
}

function hasTooManyParts(body: Buffer, boundary: string): boolean {
  const line = Buffer.from(`--${boundary}`);
  let parts = 0;
  for (let at = body.indexOf(line); at >= 0; at = body.indexOf(line, at + line.length)) {
    parts += 1;
    if (parts > PARTS_MAX) return true;
  }
  return false;
}

function textsOf(form: FormData): [string, string][] {
  return [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
}

function errorsOf(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of error.issues) {
    const field = String(path[0] ?? 'body');
    errors[field] = [...(errors[field] ?? []), field === 'id' || field === 'content' ? UNREADABLE : message];
  }
  return errors;
}

async function attachmentOf(file: File): Promise<NewAttachment> {
  return { name: file.name, contentType: file.type, content: new Uint8Array(await file.arrayBuffer()) };
}
