import { ask, type ReadDb, read } from '#server/core/database/reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { compareNames } from '#server/teammates/compare-names.ts';

type Team = { id: string; name: string };

/** The teams of a workspace, by name (spec.md §4.2, GET /teams). */
export function listTeams(db: ReadDb, workspaceId: string): Promise<Team[]> {
  const statement = Prisma.sql`
    select id, name from teams where workspace_id = ${workspaceId}::uuid and deleted_at is null`;
  return ask(
    db,
    read(statement, (rows: Team[]) => rows.sort(compareNames)),
  );
}
