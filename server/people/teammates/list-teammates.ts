import type { Teammate } from '#server/contract/records/record-schemas.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import type { Db } from '#server/ground/db.ts';
import { compareNames } from '#server/people/teammates/compare-names.ts';
import { WORKING_ROLES } from '#server/people/teammates/roles.ts';

/** The teammates of a workspace who can take conversations, by name (spec.md §4.2, GET /users). */
export async function listTeammates(db: Db, workspaceId: string): Promise<(Teammate & { role: Role })[]> {
  const members = await db.member.findMany({
    where: { workspaceId, role: { in: [...WORKING_ROLES] } },
    select: { role: true, user: { select: { id: true, name: true, email: true } } },
    relationLoadStrategy: 'join',
  });
  return members.map(({ role, user: { id, name, email } }) => ({ id, name, email, role })).sort(compareNames);
}
