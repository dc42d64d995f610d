import { ask, type ReadDb, read } from '#server/core/database/reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { MentionableView } from '#server/screens/inbox/notes-views.ts';
import { compareNames } from '#server/teammates/compare-names.ts';

/** More are not offered while typing; who knows the name can type it. */
const OFFERED_MAX = 500;

/** The teammates whom someone can mention in a note: everyone in the workspace but themselves, by name. */
export function listMentionable(
  db: ReadDb,
  { workspaceId, authorId }: { workspaceId: string; authorId: string },
): Promise<MentionableView[]> {
  const statement = Prisma.sql`
    select u.id, u.name, u.email from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId}::uuid and m.user_id <> ${authorId}::uuid
    order by m.created_at limit ${OFFERED_MAX}::int`;
  return ask(
    db,
    read(statement, (rows: MentionableView[]) => rows.sort(compareNames)),
  );
}
