import type { IncomingMessage } from 'node:http';

/** More than any of the providers takes in one request. */
const LARGEST_REQUEST_BYTES = 110_000_000;

type UploadedFile = { field: string; name: string; type: string; content: Buffer };

/** A request, read to its end. */
export type ProviderRequest = {
  method: string;
  /** The path below the provider, with a slash in front, decoded no further. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
  /** The parameters of query and body, whatever way the body is written. */
  fields: Record<string, unknown>;
  files: UploadedFile[];
  /** Whether the body was what its content type says. */
  readable: boolean;
};

/** Reads a request to its end; null when it is too large. */
export async function readRequest(
  req: IncomingMessage,
  url: URL,
  path: string,
): Promise<ProviderRequest | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    size += chunk.length;
    if (size <= LARGEST_REQUEST_BYTES) chunks.push(chunk);
  }
  if (size > LARGEST_REQUEST_BYTES) return null;
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

/** Whether a value is an object with keys. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field as text: numbers too, as forms carry them as text and JSON does not. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** A field that is an object, also when a form carries it as JSON. */
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

/** The token of an `Authorization: Bearer` header. */
export function bearerOf({ headers }: ProviderRequest): string {
  return /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]?.trim() ?? '';
}

const LARGEST_TEXT_BYTES = 1_000_000;

/** The body of a request as text; null when it is larger than 1 MB (the rest is read and dropped). */
export async function readBody(req: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    size += chunk.length;
    if (size <= LARGEST_TEXT_BYTES) chunks.push(chunk);
  }
  return size > LARGEST_TEXT_BYTES ? null : Buffer.concat(chunks).toString('utf8');
}

/** The JSON in a text, or the text itself when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
