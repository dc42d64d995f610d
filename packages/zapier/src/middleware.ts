import type { AfterResponseMiddleware, BeforeRequestMiddleware } from 'zapier-platform-core';
import { API_PATH, type RetriableError } from './call-service.ts';
import { serviceUrl } from './service-url.ts';

/** Adds the connection's token to calls of the API only, so that no other host receives the token. */
export const addToken: BeforeRequestMiddleware = (request, _z, bundle) => {
  const token = bundle.authData.access_token;
  if (token && request.url.startsWith(`${serviceUrl()}${API_PATH}/`))
    request.headers = { ...request.headers, Authorization: `Bearer ${token}` };
  return request;
};

/**
 * Throws the service's message for a refused or failed call, or the messages of all fields for a 422. Zapier has already handled 401
 * (refreshes the token) and 429 (waits for `Retry-After`).
 */
export const explainRefusal: AfterResponseMiddleware = (response, z) => {
  const { status } = response;
  if (status < 400 || response.skipThrowForStatus) return response;
  const { message, errors } = bodyOf(response.content);
  const sentences = [...new Set(Object.values(errors ?? {}).flat())];
  const text = sentences.length > 0 ? sentences.join(' ') : message;
  const isFault = status >= 500;
  if (!text && !isFault) return response;
  const error: RetriableError = new z.errors.Error(
    text || `Shared Inbox cannot answer right now (${status}).`,
    CODES[status] ?? (isFault ? 'fault' : 'refused'),
    status,
  );
  // The service or a proxy in front of it is unavailable, as during a restart.
  const isUnavailable = status >= 502 && status <= 504;
  const retryAfterSeconds = Number(response.getHeader('retry-after') ?? (isUnavailable ? 1 : Number.NaN));
  if ((isUnavailable || status === 409) && retryAfterSeconds >= 0)
    error.retryAfterMs = Math.max(isUnavailable ? 1 : 0, retryAfterSeconds) * 1_000;
  error.isFault = isFault;
  // A proxy has passed the call on, or may have.
  error.isLost = status === 502 || status === 504;
  throw error;
};

const CODES: Record<number, string> = {
  402: 'plan_needed',
  403: 'not_allowed',
  404: 'not_found',
  413: 'too_large',
  422: 'invalid_values',
};

type Refusal = { message?: string; errors?: Record<string, string[]> };

function bodyOf(content: string): Refusal {
  try {
    return JSON.parse(content) as Refusal;
  } catch {
    return {};
  }
}
