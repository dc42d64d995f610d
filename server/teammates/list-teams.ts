import type { Db } from '#server/db.ts';
import { byName } from '#server/teammates/by-name.ts';

/** The teams of a workspace, by name (spec.md §4.2, GET /teams). */
export async function listTeams(db: Db, workspaceId: string): Promise<{ id: string; name: string }[]> {
  const teams = await db.team.findMany({
    where: { workspaceId, deletedAt: null },
    select: { id: true, name: true },
  });
  return teams.sort(byName);
}
