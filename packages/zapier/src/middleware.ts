import type { AfterResponseMiddleware, BeforeRequestMiddleware } from 'zapier-platform-core';
import { API_PATH } from './call-service.ts';
import { serviceUrl } from './service-url.ts';

/** The connection's token goes with calls of the API, and with nothing else. */
export const addToken: BeforeRequestMiddleware = (request, _z, bundle) => {
  const token = bundle.authData.access_token;
  if (token && request.url.startsWith(`${serviceUrl()}${API_PATH}/`))
    request.headers = { ...request.headers, Authorization: `Bearer ${token}` };
  return request;
};

/**
 * Shows what the service says of a call that it refused: of a 422 each field's sentences. Before this the platform has
 * seen to 401, which refreshes the token, and 429, which waits as long as `Retry-After` says.
 */
export const explainRefusal: AfterResponseMiddleware = (response, z) => {
  if (response.status < 400 || response.status >= 500 || response.skipThrowForStatus) return response;
  const { message, errors } = bodyOf(response.content);
  const sentences = [...new Set(Object.values(errors ?? {}).flat())];
  const text = sentences.length > 0 ? sentences.join(' ') : message;
  if (!text) return response;
  throw new z.errors.Error(text, CODES[response.status] ?? 'refused', response.status);
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
