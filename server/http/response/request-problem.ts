type ProblemStatus = 401 | 403 | 408 | 411 | 413 | 429 | 503;

/**
 * A refusal before or while a body is read: not allowed, too slow, or too much data in flight. The HTTP server sends
 * the response.
 */
export class RequestProblem extends Error {
  readonly requestProblem: ProblemStatus;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: ProblemStatus, message: string, retryAfterSeconds?: number) {
    // A refusal under attack must cost little, and nobody reads its stack.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'RequestProblem';
    this.requestProblem = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Returns the headers of a problem. A slow connection is closed. */
export function problemHeaders({
  requestProblem,
  retryAfterSeconds,
}: RequestProblem): Record<string, string> {
  return {
    ...(requestProblem === 408 ? { Connection: 'close' } : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
  };
}
