import { pool } from '#server/db.ts';
import type { EventKey } from '#server/events/catalogue.ts';
import type { Role } from '#server/generated/prisma/enums.ts';

/** All that one attempt needs to know, in one round trip. */
export type DueDelivery = {
  id: string;
  event_id: string;
  event_key: EventKey;
  body: string;
  hook_id: string;
  target_url: string;
  hook_is_live: boolean;
  connection_id: string;
  workspace_id: string | null;
  user_id: string | null;
  role: Role | null;
};

const STATEMENT = {
  name: 'find-due-delivery',
  text: `
    select d.id, e.id as event_id, e.key as event_key, e.body, h.id as hook_id, h.target_url,
      h.removed_at is null as hook_is_live, c.id as connection_id, c.workspace_id, c.user_id, m.role
    from deliveries d
    join events e on e.id = d.event_id
    join hooks h on h.id = d.hook_id
    join connections c on c.id = h.connection_id
    left join members m on m.workspace_id = c.workspace_id and m.user_id = c.user_id
    where d.id = $1 and d.attempts = $2 - 1 and d.ended_at is null`,
};

/**
 * The delivery whose attempt of this number is due; undefined when it was made already or the delivery has ended,
 * so that a job which runs again after a crash makes no second request.
 */
export async function findDueDelivery(id: string, attempt: number): Promise<DueDelivery | undefined> {
  const { rows } = await pool().query<DueDelivery>({ ...STATEMENT, values: [id, attempt] });
  return rows[0];
}
