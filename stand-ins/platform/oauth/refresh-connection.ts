import { refreshTokenGrant } from 'openid-client';
import { log } from '../../http/log.ts';
import type { Platform } from '../platform.ts';
import type { Connection, RefreshOutcome } from '../state.ts';
import { explainOAuthError } from './explain-oauth-error.ts';

/**
 * Gets a new access token (RFC 6749 §6). Single-flight per connection: a refresh invalidates the previous access token,
 * which another call may just have got. Never throws.
 */
export function refreshConnection(platform: Platform, connection: Connection): Promise<RefreshOutcome> {
  connection.refreshing ??= refresh(platform, connection).finally(() => {
    connection.refreshing = null;
  });
  return connection.refreshing;
}

async function refresh(platform: Platform, connection: Connection): Promise<RefreshOutcome> {
  try {
    const tokens = await refreshTokenGrant(platform.oauth, connection.refreshToken);
    connection.accessToken = tokens.access_token;
    if (tokens.refresh_token) connection.refreshToken = tokens.refresh_token;
    connection.refreshCount += 1;
    log('oauth.refreshed', { connection: connection.id });
    return { kind: 'refreshed' };
  } catch (error) {
    const { status, code, message } = await explainOAuthError(error);
    log('oauth.refresh_failed', { connection: connection.id, status, code });
    // 400 and 401 mean that the refresh token is no longer valid. Other errors may be temporary.
    return { kind: status === 400 || status === 401 ? 'refused' : 'unavailable', message };
  }
}
