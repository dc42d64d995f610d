import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import type { ConnectionEnd } from '#server/generated/prisma/enums.ts';
import { notifyManagers } from '#server/teammates/add-notifications.ts';
import { NOTIFIED_ENDS, type NotifiedEnd } from '#server/teammates/notification-content.ts';

/**
 * Returns the notification to the workspace's other owners about the first tokens of a connection. An
 * approval without a code exchange notifies nobody.
 */
export function startNotification(given: {
  id: string;
  workspaceId: string;
  userId: string | null;
  teammateName: string;
  now: Date;
}): Parameters<typeof notifyManagers>[1] {
  const { id, workspaceId, userId, teammateName, now } = given;
  const data = { connectionId: id, teammateName };
  return { workspaceId, content: { kind: 'connection_started', data }, except: [userId], now };
}

/**
 * Notifies the workspace's owners that a connection ended, in the transaction that ends it. Sends nothing for
 * a disconnection by an owner or admin, or for a connection whose code was never exchanged. Skips the owner
 * who caused the end, and a teammate who leaves.
 */
export async function notifyOwnersOfEnd(
  tx: Tx,
  given: { id: string; workspaceId: string; reason: ConnectionEnd; by: Teammate | undefined; now: Date },
): Promise<void> {
  const { id, workspaceId, reason, by, now } = given;
  if (!isNotified(reason)) return;
  const connection = await findNamed(tx, id);
  if (!connection?.exchangedAt) return;
  const { userId, teammateName } = connection;
  const isGone = reason === 'teammate_left' || reason === 'teammate_deleted';
  await notifyManagers(tx, {
    workspaceId,
    content: { kind: 'connection_ended', data: { connectionId: id, teammateName, reason } },
    except: [by?.id ?? null, isGone ? userId : null],
    now,
  });
}

/**
 * Finds a connection with its teammate's current name, or the name at the time of connecting if the account
 * is deleted.
 */
async function findNamed(tx: Tx, id: string) {
  type Named = { userId: string | null; exchangedAt: Date | null; teammateName: string };
  const [found] = await tx.$queryRaw<Named[]>`
    select c.user_id as "userId", c.exchanged_at as "exchangedAt",
      coalesce(u.name, c.teammate_name) as "teammateName"
    from connections c left join users u on u.id = c.user_id and u.deleted_at is null
    where c.id = ${id}::uuid`;
  return found;
}

function isNotified(reason: ConnectionEnd): reason is NotifiedEnd {
  return NOTIFIED_ENDS.some((end) => end === reason);
}
