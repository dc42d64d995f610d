import type { Db } from '#server/ground/db.ts';
import { compareNames } from '#server/people/teammates/compare-names.ts';

/** The teams of a workspace, by name (spec.md §4.2, GET /teams). */
export async function listTeams(db: Db, workspaceId: string): Promise<{ id: string; name: string }[]> {
  const teams = await db.team.findMany({
    where: { workspaceId, deletedAt: null },
    select: { id: true, name: true },
  });
  return teams.sort(compareNames);
}
