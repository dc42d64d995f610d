import { refreshConnection } from '../oauth/refresh-connection.ts';
import type { Platform } from '../platform.ts';
import type { Connection } from '../state.ts';
import { rememberRecords } from './remember-records.ts';
import { type ServiceRequest, sendRequest } from './send-request.ts';
import { messageOf, type ServiceResponse, succeeded, unanswered } from './service-response.ts';

/**
 * Calls the service for a connection. A 401 makes one refresh and one more try; a call that finds the token
 * already replaced by another's refresh just tries again with the new one. When the refresh is refused, the
 * connection needs to be reconnected, and the service's sentence says why.
 */
export async function callService(
  platform: Platform,
  connection: Connection,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  let refreshed = false;
  for (;;) {
    const token = connection.accessToken;
    const response = await sendRequest(platform.settings, token, request);
    if (response.status !== 401) {
      if (succeeded(response)) {
        rememberRecords(connection, response.body);
        setHealth(platform, connection, 'connected', null);
      }
      return response;
    }
    if (token !== connection.accessToken) continue;
    if (refreshed) {
      setHealth(platform, connection, 'needs_reconnect', messageOf(response));
      return response;
    }
    const outcome = await refreshConnection(platform, connection);
    if (outcome.kind === 'refused') {
      setHealth(platform, connection, 'needs_reconnect', messageOf(response));
      return response;
    }
    if (outcome.kind === 'unavailable') {
      return unanswered(`The access token could not be refreshed just now: ${outcome.message}`);
    }
    refreshed = true;
  }
}

/** Changes how a connection is doing, and tells the open pages when that is news. */
export function setHealth(
  platform: Platform,
  connection: Connection,
  health: Connection['health'],
  message: string | null,
): void {
  if (connection.health === health && connection.message === message) return;
  connection.health = health;
  connection.message = message;
  platform.stream.send('changed', {});
}
