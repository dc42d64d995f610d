/** What a provider answers. `hang` never answers, until the caller gives up. */
export type HttpResponse =
  | { status: number; body: unknown; headers?: Record<string, string> }
  | { status: number; content: Buffer | string; type: string; headers?: Record<string, string> }
  | 'hang';

/** A response in JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): HttpResponse {
  return { status, body, headers };
}

/** A response that is a file or a text. */
export function raw(
  content: Buffer | string,
  type: string,
  headers: Record<string, string> = {},
): HttpResponse {
  return { status: 200, content, type, headers };
}
