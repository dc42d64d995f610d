import { STATUS_CODES } from 'node:http';

/** How a call to the service ended, in the shape in which the page shows it. */
export type Answer =
  | { status: number; status_text: string; body: unknown; duration_ms: number }
  | { status: null; problem: string; errors?: Record<string, string[]>; duration_ms: number };

/** An answer that the service gave. */
export function answered(status: number, body: unknown, durationMs: number): Answer {
  return { status, status_text: STATUS_CODES[status] ?? '', body, duration_ms: durationMs };
}

/** A call that got no answer, or was not made: `errors` name the fields at fault. */
export function unanswered(problem: string, errors?: Record<string, string[]>, durationMs = 0): Answer {
  return { status: null, problem, ...(errors ? { errors } : {}), duration_ms: durationMs };
}

/** True for a 2xx of the service. */
export function succeeded(answer: Answer): answer is Extract<Answer, { status: number }> {
  return answer.status !== null && answer.status >= 200 && answer.status < 300;
}

/** The sentence of an error answer, or the best that can be said without one. */
export function messageOf(answer: Answer): string {
  if (answer.status === null) return answer.problem;
  const { body } = answer;
  if (typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string') {
    return body.message;
  }
  return `The service answered ${answer.status}.`;
}
