import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { publish } from '#server/core/live/publish.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { withTestWorkspace } from '#server/teammates/test-workspaces.ts';

/**
 * Adds a member to a workspace and its test workspace. A teammate who saw only assigned conversations when they left does so again. The
 * caller holds the workspace lock and has locked the account.
 * @param onlyAssigned an agent or viewer sees only conversations that are assigned to them or their teams
 * @returns false when they are a member already
 */
export async function addMember(
  tx: Tx,
  member: { workspaceId: string; teammate: Teammate; role: Role; onlyAssigned: boolean },
): Promise<boolean> {
  const { workspaceId, teammate, role, onlyAssigned } = member;
  const ids = await withTestWorkspace(tx, workspaceId);
  const limitedIn = await forgetLimits(tx, teammate.id, ids);
  const rows = ids.map((id) => ({
    workspaceId: id,
    userId: teammate.id,
    role,
    onlyAssigned: onlyAssigned || limitedIn.includes(id),
  }));
  const added = await tx.member.createManyAndReturn({
    data: rows,
    skipDuplicates: true,
    select: { workspaceId: true },
  });
  if (!added.some((row) => row.workspaceId === workspaceId)) return false;
  await addAuditEntry(tx, { workspaceId, kind: 'teammate_joined', by: teammate, data: { role } });
  afterCommit(tx, () => publish(workspaceId, 'teammates'));
  return true;
}

/** Removes what a teammate’s account remembers about their limited view in workspaces. Returns the workspaces that it was limited in. */
async function forgetLimits(tx: Tx, userId: string, workspaceIds: string[]): Promise<string[]> {
  const { limitedIn } = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: { limitedIn: true },
  });
  if (!limitedIn.some((id) => workspaceIds.includes(id))) return [];
  await tx.$executeRaw`
    update users set limited_in = array(select id from unnest(limited_in) id where id <> all (${workspaceIds}::uuid[]))
    where id = ${userId}::uuid`;
  return limitedIn;
}
