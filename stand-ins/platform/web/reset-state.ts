import { log } from '../../http/log.ts';
import { revokeConnection } from '../oauth/revoke-connection.ts';
import type { Platform } from '../platform.ts';

/**
 * Forgets everything, and answers how much. The service hears of it only on request: then every connection is
 * revoked first, and `unrevoked` counts those that it did not agree to end.
 */
export async function resetState(platform: Platform, revoke: boolean) {
  const { state, stream } = platform;
  let unrevoked = 0;
  const forgotten = state.connections.size;
  if (revoke) {
    for (const connection of [...state.connections.values()]) {
      if (!(await revokeConnection(platform, connection)).ok) unrevoked += 1;
    }
  }
  state.connections.clear();
  state.subscriptions.clear();
  state.notices.clear();
  state.pendingConnects.clear();
  state.events.length = 0;
  stream.send('reset', {});
  log('platform.reset', { connections: forgotten, unrevoked });
  return { connections: forgotten, unrevoked };
}
