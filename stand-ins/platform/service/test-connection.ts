import { z } from 'zod';
import type { Platform } from '../platform.ts';
import type { Connection } from '../state.ts';
import { callService, setHealth } from './call-service.ts';
import { messageOf, type ServiceResponse, succeeded } from './service-response.ts';

const meRecord = z.object({
  id: z.string(),
  user_id: z.string(),
  user_name: z.string(),
  email: z.string(),
  workspace_id: z.string(),
  workspace_name: z.string(),
});

/** Tests a connection with `GET /me`, and labels it `<workspace_name> (<email>)`. */
export async function testConnection(platform: Platform, connection: Connection): Promise<ServiceResponse> {
  const response = await callService(platform, connection, { method: 'GET', path: '/me' });
  if (succeeded(response)) {
    const me = meRecord.safeParse(response.body);
    if (me.success) {
      connection.me = me.data;
      connection.label = `${me.data.workspace_name} (${me.data.email})`;
    } else {
      setHealth(platform, connection, 'test_failed', 'The response to the test is not a connection record.');
    }
  } else if (connection.health !== 'needs_reconnect') {
    setHealth(platform, connection, 'test_failed', messageOf(response));
  }
  return response;
}
