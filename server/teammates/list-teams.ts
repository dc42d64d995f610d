import type { Db } from '#server/db.ts';

/** The teams of a workspace, by name (spec.md §4.2, GET /teams). */
export async function listTeams(db: Db, workspaceId: string): Promise<{ id: string; name: string }[]> {
  return db.team.findMany({
    where: { workspaceId },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
}
