import { endConnection } from '#server/automation/connections/end-connection.ts';
import type { Tx } from '#server/core/database/db.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { isAdmin } from '#server/teammates/roles.ts';

/**
 * Whether the teammate of a connection may still connect; if not, the connection ends here and now, as it does
 * when a token is asked for or an event is delivered (spec.md §1, connection management).
 */
export async function checkStillAllowed(
  tx: Tx,
  connection: { id: string; workspaceId: string | null; userId: string | null },
): Promise<boolean> {
  const { workspaceId, userId } = connection;
  const [member] =
    workspaceId && userId
      ? await tx.$queryRaw<{ role: Role }[]>`
          select role from members where workspace_id = ${workspaceId}::uuid and user_id = ${userId}::uuid`
      : [];
  if (member && isAdmin(member.role)) return true;
  await endConnection(tx, { id: connection.id, reason: member ? 'not_allowed' : 'teammate_left' });
  return false;
}
