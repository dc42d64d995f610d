import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/records/record-schemas.ts';
import type { Tx } from '#server/ground/db.ts';
import { WORKING_ROLES } from '#server/people/teammates/roles.ts';

/**
 * The teammate of a workspace who can take conversations, or undefined: unknown, a viewer, or of another workspace.
 * The membership is held until the transaction ends, so that nobody is assigned while leaving. Members are locked
 * before conversations.
 */
export async function findAssignable(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<Teammate | undefined> {
  if (!isUuid(id)) return undefined;
  const [teammate] = await tx.$queryRaw<Teammate[]>`
    select u.id, u.name, u.email from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId}::uuid and m.user_id = ${id}::uuid
      and m.role::text = any (${[...WORKING_ROLES]})
    for share of m`;
  return teammate;
}
