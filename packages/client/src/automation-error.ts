/** A call that the API refused. */
export class AutomationError extends Error {
  override readonly name = 'AutomationError';
  /** The HTTP status, for example 422. */
  readonly status: number;
  /** Of a 422: field to sentences. */
  readonly errors: Record<string, string[]>;
  /** Of a 429: the seconds to wait before the next call. */
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, body: unknown) {
    super(messageIn(body) ?? `The service answered ${response.status}.`);
    this.status = response.status;
    this.errors = errorsIn(body);
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
  }
}

function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  return typeof body.message === 'string' ? body.message : undefined;
}

function errorsIn(body: unknown): Record<string, string[]> {
  if (typeof body !== 'object' || body === null || !('errors' in body)) return {};
  const { errors } = body;
  if (typeof errors !== 'object' || errors === null) return {};
  return Object.fromEntries(
    Object.entries(errors).map(([field, sentences]) => [
      field,
      Array.isArray(sentences) ? sentences.map(String) : [],
    ]),
  );
}
