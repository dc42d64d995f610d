import { validate as isUuid } from 'uuid';
import type { Tx } from '#server/core/database/db.ts';
import { notFound } from '#server/core/errors.ts';

/**
 * A team of a workspace, locked against everything, so that a transaction that assigns it a conversation waits, and
 * then finds it as this transaction leaves it. Teams are locked before conversations.
 * @throws Refusal when the workspace has no such team
 */
export async function lockTeam(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<{ id: string; name: string }> {
  const [team] = isUuid(id)
    ? await tx.$queryRaw<{ id: string; name: string }[]>`
        select id, name from teams
        where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid and deleted_at is null
        for update`
    : [];
  if (!team) throw notFound('The team');
  return team;
}
