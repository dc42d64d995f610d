import { pool } from '#server/core/database/db.ts';

/** Notes that a connection was used, at most once a minute over all servers (decisions: OAuth, 13). */
export async function touchConnection(connectionId: string): Promise<void> {
  await pool().query(
    `update connections set last_used_at = now()
     where id = $1 and (last_used_at is null or last_used_at < now() - interval '60 seconds')`,
    [connectionId],
  );
}
