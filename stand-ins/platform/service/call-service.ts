import { refreshConnection } from '../oauth/refresh-connection.ts';
import type { Platform } from '../platform.ts';
import type { Connection } from '../state.ts';
import { rememberRecords } from './remember-records.ts';
import { type ServiceRequest, sendRequest } from './send-request.ts';
import { messageOf, type ServiceResponse, succeeded, unanswered } from './service-response.ts';

/**
 * Calls the service for a connection. After a 401 the token is refreshed once and the call is repeated. When another
 * call has refreshed the token in the meantime, the call is repeated with the new token. When the service refuses the
 * refresh, the connection needs to be reconnected and shows the service's message.
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

/** Sets the health of a connection, and updates the open pages when it changed. */
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
