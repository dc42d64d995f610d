import { STATUS_CODES } from 'node:http';

/** How a call to the service ended, in the shape in which the page shows it. */
export type ServiceResponse =
  | { status: number; status_text: string; body: unknown; duration_ms: number }
  | { status: null; problem: string; errors?: Record<string, string[]>; duration_ms: number };

/** A response that the service gave. */
export function answered(status: number, body: unknown, durationMs: number): ServiceResponse {
  return { status, status_text: STATUS_CODES[status] ?? '', body, duration_ms: durationMs };
}

/** A call that got no response, or was not made: `errors` name the fields at fault. */
export function unanswered(
  problem: string,
  errors?: Record<string, string[]>,
  durationMs = 0,
): ServiceResponse {
  return { status: null, problem, ...(errors ? { errors } : {}), duration_ms: durationMs };
}

/** True for a 2xx of the service. */
export function succeeded(
  response: ServiceResponse,
): response is Extract<ServiceResponse, { status: number }> {
  return response.status !== null && response.status >= 200 && response.status < 300;
}

/** The sentence of an error response, or the best that can be said without one. */
export function messageOf(response: ServiceResponse): string {
  if (response.status === null) return response.problem;
  const { body } = response;
  if (typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string') {
    return body.message;
  }
  return `The service answered ${response.status}.`;
}
