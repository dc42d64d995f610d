import type { Tx } from '#server/core/database/db.ts';
import { invalid } from '#server/core/errors.ts';

/**
 * Refuses what would leave a workspace without an owner. The caller holds the workspace's lock and is about to take
 * the role from one who is owner, so that of two who do this at once the second counts what the first left.
 */
export async function refuseLastOwner(
  tx: Tx,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<void> {
  if ((await tx.member.count({ where: { workspaceId, role: 'owner' } })) > 1) return;
  throw invalid({ role: [lastOwnerSentence(name)] });
}

/** Why the last owner stays as they are. */
export function lastOwnerSentence(name: string): string {
  return `${name} is the last owner of this workspace. Make someone else an owner first.`;
}
