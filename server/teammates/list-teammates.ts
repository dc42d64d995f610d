import type { Teammate } from '#server/contract/record-schemas.ts';
import { ask, type ReadDb, read } from '#server/core/database/reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { compareNames } from '#server/teammates/compare-names.ts';
import { WORKING_ROLES } from '#server/teammates/roles.ts';

type Working = Teammate & { role: Role };

/** The teammates of a workspace who can take conversations, by name (spec.md §4.2, GET /users). */
export function listTeammates(db: ReadDb, workspaceId: string): Promise<Working[]> {
  const statement = Prisma.sql`
    select u.id, u.name, u.email, m.role from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId}::uuid and m.role = any(${[...WORKING_ROLES]}::role[])`;
  return ask(
    db,
    read(statement, (rows: Working[]) => rows.sort(compareNames)),
  );
}
