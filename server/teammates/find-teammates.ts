import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { type Away, type AwayColumns, awayOf, isAway } from '#server/teammates/away.ts';
import { WORKING_ROLES } from '#server/teammates/roles.ts';

/**
 * Finds a teammate of a workspace who can have conversations; undefined if unknown, a viewer or of another
 * workspace. Locks the membership until the transaction ends, so that no one is assigned while leaving. Lock
 * order: members before conversations.
 */
export async function findAssignable(
  tx: SqlDb,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<Teammate | undefined> {
  if (!isUuid(id)) return undefined;
  const [teammate] = await tx.$queryRaw<Teammate[]>(
    Prisma.sql`${assignable({ workspaceId, id })} for share of m`,
  );
  return teammate;
}

/** Returns the SQL of `findAssignable` without its lock; the membership is `m`. */
export function assignable({ workspaceId, id }: { workspaceId: string; id: string }): Prisma.Sql {
  return Prisma.sql`
    select u.id, u.name, u.email from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId}::uuid and m.user_id = ${id}::uuid
      and m.role = any (${[...WORKING_ROLES]}::role[])`;
}

/** Finds a team and locks it against deletion until the transaction ends. */
export async function findTeam(
  tx: SqlDb,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<{ id: string; name: string } | undefined> {
  if (!isUuid(id)) return undefined;
  const [team] = await tx.$queryRaw<{ id: string; name: string }[]>`
    select id, name from teams where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid and deleted_at is null
    for key share`;
  return team;
}

type Working = Teammate & { role: Role };

/** Returns the teammates who can have conversations, by name (docs/spec.md §4.2, GET /users). */
export function listTeammates(db: ReadDb, workspaceId: string): Promise<Working[]> {
  const statement = Prisma.sql`
    select u.id, u.name, u.email, m.role from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId}::uuid and m.role = any(${[...WORKING_ROLES]}::role[])`;
  return runRead(db, statement, (rows: Working[]) => rows.sort(compareNames));
}

type Choice = { id: string; name: string; away: Away | null };

/** Returns the teammates who can have conversations, by name, with their absences. */
export function listAssignees(db: ReadDb, workspaceId: string): Promise<Choice[]> {
  const statement = Prisma.sql`
    select u.id, u.name, ${isAway('m')} as "isAway", m.away_until as until
    from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId}::uuid and m.role = any(${[...WORKING_ROLES]}::role[])`;
  return runRead(db, statement, (rows: (Team & AwayColumns)[]) =>
    rows.map(({ id, name, ...absence }) => ({ id, name, away: awayOf(absence) })).sort(compareNames),
  );
}

type Team = { id: string; name: string };

/** Returns the teams of a workspace, by name (docs/spec.md §4.2, GET /teams). */
export function listTeams(db: ReadDb, workspaceId: string): Promise<Team[]> {
  const statement = Prisma.sql`
    select id, name from teams where workspace_id = ${workspaceId}::uuid and deleted_at is null`;
  return runRead(db, statement, (rows: Team[]) => rows.sort(compareNames));
}

/** Sorts names independently of case and of the database's collation. */
const COLLATOR = new Intl.Collator('en');

/** Orders records by name, then by id for a stable order. */
export function compareNames(a: { id: string; name: string }, b: { id: string; name: string }): number {
  return COLLATOR.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);
}
