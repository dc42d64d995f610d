import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Db } from '#server/core/database/db.ts';
import { notFound } from '#server/core/errors.ts';
import type { Role } from '#server/generated/prisma/enums.ts';

/** Someone in a workspace. */
export type FoundMember = { teammate: Teammate; role: Role; joinedAt: Date };

/**
 * A member of a workspace. Roles and memberships change only while the workspace is locked: to a transaction that holds
 * that lock this stays true.
 * @throws Refusal when the workspace has no such member
 */
export async function findMember(
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<FoundMember> {
  const member = isUuid(userId)
    ? await db.member.findFirst({
        where: { workspaceId, userId, workspace: { deletedAt: null } },
        select: { role: true, createdAt: true, user: { select: { id: true, name: true, email: true } } },
        relationLoadStrategy: 'join',
      })
    : null;
  if (!member) throw notFound('The teammate');
  return { teammate: member.user, role: member.role, joinedAt: member.createdAt };
}
