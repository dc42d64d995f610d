import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { MentionableView } from '#server/screens/inbox/composer-views.ts';
import { type AwayColumns, awayOf, isAway } from '#server/teammates/away.ts';
import { compareNames } from '#server/teammates/find-teammates.ts';
import { VISIBILITY_OF_MEMBER, type Visibility } from '#server/teammates/visibility.ts';

/** Maximum number of suggestions. */
const OFFERED_MAX = 500;

type Mentionable = Omit<MentionableView, 'sees'> & { visibility: Visibility | null };

/** Returns the teammates that can be mentioned in a note, and what they see: everyone else in the workspace, by name. */
export function listMentionable(
  db: ReadDb,
  { workspaceId, authorId }: { workspaceId: string; authorId: string },
): Promise<Mentionable[]> {
  const statement = Prisma.sql`
    select u.id, u.name, u.email, ${isAway('m')} as "isAway", m.away_until as until,
      case when m.only_assigned or exists (select from limited_sources where workspace_id = ${workspaceId}::uuid)
        then ${Prisma.raw(VISIBILITY_OF_MEMBER)} end as visibility
    from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId}::uuid and m.user_id <> ${authorId}::uuid
    order by m.created_at limit ${OFFERED_MAX}::int`;
  return runRead(db, statement, (rows: (Omit<Mentionable, 'away'> & AwayColumns)[]) =>
    rows.map(({ isAway, until, ...row }) => ({ ...row, away: awayOf({ isAway, until }) })).sort(compareNames),
  );
}
