import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Tx } from '#server/core/database/db.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { WORKING_ROLES } from '#server/teammates/roles.ts';

/**
 * The teammate of a workspace who can take conversations, or undefined: unknown, a viewer, or of another workspace.
 * The membership is held until the transaction ends, so that no one is assigned while leaving. Members are locked
 * before conversations.
 */
export async function findAssignable(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<Teammate | undefined> {
  if (!isUuid(id)) return undefined;
  const [teammate] = await tx.$queryRaw<Teammate[]>(
    Prisma.sql`${assignable({ workspaceId, id })} for share of m`,
  );
  return teammate;
}

/** SQL of such a teammate, from their membership `m`; nothing is held. */
export function assignable({ workspaceId, id }: { workspaceId: string; id: string }): Prisma.Sql {
  return Prisma.sql`
    select u.id, u.name, u.email from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId}::uuid and m.user_id = ${id}::uuid
      and m.role::text = any (${[...WORKING_ROLES]}::text[])`;
}
