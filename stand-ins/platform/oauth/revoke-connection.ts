import { tokenRevocation } from 'openid-client';
import { log } from '../../http/log.ts';
import type { Platform } from '../platform.ts';
import type { Connection } from '../state.ts';
import { explainOAuthError } from './explain-oauth-error.ts';

export type RevokeOutcome = { ok: true } | { ok: false; message: string };

/**
 * Revokes a connection at the service (RFC 7009), and deletes it here. The service deletes its hooks too, so its
 * subscriptions count as off. Its workflows are deleted. When the service refuses, the connection stays.
 */
export async function revokeConnection(platform: Platform, connection: Connection): Promise<RevokeOutcome> {
  try {
    await tokenRevocation(platform.oauth, connection.refreshToken, { token_type_hint: 'refresh_token' });
  } catch (error) {
    const { status, message } = await explainOAuthError(error);
    log('oauth.revoke_failed', { connection: connection.id, status });
    return { ok: false, message };
  }
  platform.state.connections.delete(connection.id);
  for (const subscription of platform.state.subscriptions.values()) {
    if (subscription.connectionId === connection.id) subscription.state = 'off';
  }
  for (const workflow of platform.state.workflows.values()) {
    if (workflow.connectionId === connection.id) platform.state.workflows.delete(workflow.id);
  }
  platform.stream.send('changed', {});
  log('oauth.revoked', { connection: connection.id });
  return { ok: true };
}
