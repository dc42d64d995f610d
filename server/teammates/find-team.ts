import { validate as isUuid } from 'uuid';
import type { Tx } from '#server/core/database/db.ts';

/** A team of a workspace, or undefined; held until the transaction ends, so that it is not deleted meanwhile. */
export async function findTeam(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<{ id: string; name: string } | undefined> {
  if (!isUuid(id)) return undefined;
  const [team] = await tx.$queryRaw<{ id: string; name: string }[]>`
    select id, name from teams where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid and deleted_at is null
    for key share`;
  return team;
}
