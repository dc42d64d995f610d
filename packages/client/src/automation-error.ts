/** The API refused a call. */
export class AutomationError extends Error {
  override readonly name = 'AutomationError';
  /** HTTP status, for example 422. */
  readonly status: number;
  /** Sentences by field, for 422. */
  readonly errors: Record<string, string[]>;
  /** Seconds to wait before the next call, for 429. */
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, body: unknown) {
    super(messageIn(body) ?? `The service responded with status ${response.status}.`);
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
