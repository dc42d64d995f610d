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
  const read = readFields(body, req.headers['content-type'] ?? '');
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

function readFields(body: Buffer, type: string): Fields | null {
  if (body.length === 0) return { fields: {}, files: [] };
  try {
    if (type.startsWith('multipart/form-data')) return readMultipart(body, type);
    if (type.startsWith('application/x-www-form-urlencoded'))
      return { fields: Object.fromEntries(new URLSearchParams(body.toString('utf8'))), files: [] };
    if (!type.startsWith('application/json')) return { fields: {}, files: [] };
    const fields: unknown = JSON.parse(body.toString('utf8'));
    return isRecord(fields) ? { fields, files: [] } : null;
  } catch {
    return null;
  }
}

/** Reads a form as providers do: names and file names may be without quotation marks, and parts without a type. */
function readMultipart(body: Buffer, contentType: string): Fields {
  const boundary = parameterOf(contentType, 'boundary');
  if (!boundary) throw new Error('The form has no boundary.');
  const fields: Record<string, unknown> = {};
  const files: UploadedFile[] = [];
  // The body as Latin-1 has one character for each byte.
  const [, ...parts] = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`);
  if (!parts.at(-1)?.startsWith('--')) throw new Error('The form is not complete.');
  for (const part of parts.slice(0, -1)) {
    const end = part.indexOf('\r\n\r\n');
    const headers = Buffer.from(part.slice(0, end), 'latin1').toString('utf8').split('\r\n');
    const header = (name: string) =>
      headers.find((line) => line.toLowerCase().startsWith(`${name}:`))?.slice(name.length + 1) ?? '';
    const field = parameterOf(header('content-disposition'), 'name') ?? '';
    const name = parameterOf(header('content-disposition'), 'filename');
    const content = Buffer.from(part.slice(end + 4), 'latin1');
    if (name === undefined) fields[field] = content.toString('utf8');
    else if (content.length > 0 || name !== '')
      files.push({ field, name, type: header('content-type').trim() || 'application/octet-stream', content });
  }
  return { fields, files };
}

/** Returns a parameter of a header, with or without quotation marks; undefined when there is none. */
function parameterOf(header: string, parameter: string): string | undefined {
  const found = new RegExp(`;\\s*${parameter}=(?:"((?:\\\\.|[^"\\\\])*)"|([^;]*))`, 'i').exec(header);
  return found?.[1]?.replaceAll(/\\(["\\])/g, '$1').replaceAll('%22', '"') ?? found?.[2]?.trim();
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
