import type { IncomingMessage } from 'node:http';

/** More than any provider accepts in one request. */
const REQUEST_MAX_BYTES = 110_000_000;

type UploadedFile = { field: string; name: string; type: string; content: Buffer };

/** A fully read request. */
export type ProviderRequest = {
  method: string;
  /** Path below the provider, with a leading slash, not decoded. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
  /** Parameters of the query and the body, for any content type. */
  fields: Record<string, unknown>;
  files: UploadedFile[];
  /** False when the body does not match its content type. */
  readable: boolean;
};

/** Reads a complete request; null when it is too large. */
export async function readRequest(
  req: IncomingMessage,
  url: URL,
  path: string,
): Promise<ProviderRequest | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    size += chunk.length;
    if (size <= REQUEST_MAX_BYTES) chunks.push(chunk);
  }
  if (size > REQUEST_MAX_BYTES) return null;
  const body = Buffer.concat(chunks);
  const read = await readFields(body, req.headers['content-type'] ?? '');
  return {
    method: req.method ?? 'GET',
    path,
    query: url.searchParams,
    headers: req.headers,
    body,
    fields: { ...Object.fromEntries(url.searchParams), ...read?.fields },
    files: read?.files ?? [],
    readable: read !== null,
  };
}

type Fields = Pick<ProviderRequest, 'fields' | 'files'>;

async function readFields(body: Buffer, type: string): Promise<Fields | null> {
  if (body.length === 0) return { fields: {}, files: [] };
  try {
    if (type.startsWith('multipart/form-data') || type.startsWith('application/x-www-form-urlencoded')) {
      const options = { method: 'POST', headers: { 'Content-Type': type }, body: new Uint8Array(body) };
      return await readForm(await new Request('http://localhost/', options).formData());
    }
    if (!type.startsWith('application/json')) return { fields: {}, files: [] };
    const fields: unknown = JSON.parse(body.toString('utf8'));
    return isRecord(fields) ? { fields, files: [] } : null;
  } catch {
    return null;
  }
}

async function readForm(form: FormData): Promise<Fields> {
  const fields: Record<string, unknown> = {};
  const files: UploadedFile[] = [];
  for (const [field, value] of form) {
    if (typeof value === 'string') fields[field] = value;
    else if (value.size > 0 || value.name) {
      const content = Buffer.from(await value.arrayBuffer());
      files.push({ field, name: value.name, type: value.type || 'application/octet-stream', content });
    }
  }
  return { fields, files };
}

/** Returns true for a plain object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a field as text. Numbers are converted, as forms carry them as text and JSON does not. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Returns a field that is an object, or an object as JSON in a form. */
export function objectOf(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value;
  if (typeof value !== 'string') return {};
  try {
    const parsed: unknown = JSON.parse(value);
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** Returns the token of an `Authorization: Bearer` header. */
export function bearerOf({ headers }: ProviderRequest): string {
  return /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]?.trim() ?? '';
}

const TEXT_MAX_BYTES = 1_000_000;

/** Reads a body as text; null when it is larger than 1 MB. The rest is drained. */
export async function readBody(req: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    size += chunk.length;
    if (size <= TEXT_MAX_BYTES) chunks.push(chunk);
  }
  return size > TEXT_MAX_BYTES ? null : Buffer.concat(chunks).toString('utf8');
}

/** Parses JSON; returns the text itself when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
