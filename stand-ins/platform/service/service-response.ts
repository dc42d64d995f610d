import { STATUS_CODES } from 'node:http';

/** Outcome of a call to the service, in the shape that the page shows. */
export type ServiceResponse =
  | { status: number; status_text: string; body: unknown; duration_ms: number }
  | { status: null; problem: string; errors?: Record<string, string[]>; duration_ms: number };

export function answered(status: number, body: unknown, durationMs: number): ServiceResponse {
  return { status, status_text: STATUS_CODES[status] ?? '', body, duration_ms: durationMs };
}

/** Returns the result of a call without a response, or of a call that was not sent; `errors` are by field. */
export function unanswered(
  problem: string,
  errors?: Record<string, string[]>,
  durationMs = 0,
): ServiceResponse {
  return { status: null, problem, ...(errors ? { errors } : {}), duration_ms: durationMs };
}

/** Returns true for a 2xx response. */
export function succeeded(
  response: ServiceResponse,
): response is Extract<ServiceResponse, { status: number }> {
  return response.status !== null && response.status >= 200 && response.status < 300;
}

/** Returns the message of an error response, or a fallback. */
export function messageOf(response: ServiceResponse): string {
  if (response.status === null) return response.problem;
  const { body } = response;
  if (typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string') {
    return body.message;
  }
  return `The service responded with ${response.status}.`;
}
