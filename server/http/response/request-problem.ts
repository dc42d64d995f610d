/**
 * Why a request is not answered as it asks, found while its body was read: too slow, too much at once. The HTTP server
 * answers with it. Recognised by its field (see errors.ts).
 */
export class RequestProblem extends Error {
  readonly requestProblem: 408 | 429 | 503;
  /** For `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: 408 | 429 | 503, message: string, retryAfterSeconds?: number) {
    super(message);
    this.name = 'RequestProblem';
    this.requestProblem = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The problem that an error is, if it is one. */
export function requestProblemIn(error: unknown): RequestProblem | undefined {
  return error instanceof Error && 'requestProblem' in error ? (error as RequestProblem) : undefined;
}

/** The headers that go with a problem. What trickles is not waited for any longer. */
export function problemHeaders({
  requestProblem,
  retryAfterSeconds,
}: RequestProblem): Record<string, string> {
  return {
    ...(requestProblem === 408 ? { Connection: 'close' } : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
  };
}
