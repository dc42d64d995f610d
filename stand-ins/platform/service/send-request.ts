import { parseJson } from '../../http/bodies.ts';
import { log } from '../../http/log.ts';
import type { Settings } from '../settings.ts';
import { answered, type ServiceResponse, unanswered } from './service-response.ts';

/** A call relative to the API's base URL. */
export type ServiceRequest = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string>;
  body?: Record<string, string>;
};

const API_BASE = '/api/automation/v1';
const TIMEOUT_SECONDS = 30;
const TEXT_MAX_LENGTH = 2_000;

/** Sends one request to the service's API. Never throws: a network failure is a response without a status. */
export async function sendRequest(
  settings: Settings,
  accessToken: string,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const url = new URL(`${settings.serviceUrl}${API_BASE}${request.path}`);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(url, {
      method: request.method,
      headers: {
        Accept: 'application/json',
        Authorization: `Bearer ${accessToken}`,
        'User-Agent': 'Workflow-Platform/1',
        ...(request.body ? { 'Content-Type': 'application/json' } : {}),
      },
      body: request.body ? JSON.stringify(request.body) : null,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1_000),
    });
    const text = await response.text();
    log('service.called', {
      method: request.method,
      path: request.path,
      status: response.status,
      ms: elapsed(),
    });
    return answered(response.status, readable(text), elapsed());
  } catch (error) {
    log('service.unreachable', { method: request.method, path: request.path, ms: elapsed() });
    const late = error instanceof Error && error.name === 'TimeoutError';
    return unanswered(
      late
        ? `${settings.serviceName} did not respond within ${TIMEOUT_SECONDS} seconds.`
        : `${settings.serviceName} could not be reached.`,
      undefined,
      elapsed(),
    );
  }
}

function readable(text: string): unknown {
  const value = text === '' ? null : parseJson(text);
  return typeof value === 'string' ? value.slice(0, TEXT_MAX_LENGTH) : value;
}
