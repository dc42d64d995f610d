import type { Db } from '#server/ground/db.ts';
import type { MentionableView } from '#server/inbox/notes/views.ts';
import { compareNames } from '#server/people/teammates/compare-names.ts';

/** More are not offered while typing; who knows the name can type it. */
const OFFERED_MAX = 500;

/** The teammates whom somebody can mention in a note: everybody in the workspace but themselves, by name. */
export async function listMentionable(
  db: Db,
  { workspaceId, authorId }: { workspaceId: string; authorId: string },
): Promise<MentionableView[]> {
  const members = await db.member.findMany({
    where: { workspaceId, userId: { not: authorId } },
    select: { user: { select: { id: true, name: true, email: true } } },
    orderBy: { createdAt: 'asc' },
    take: OFFERED_MAX,
    relationLoadStrategy: 'join',
  });
  return members.map(({ user: { id, name, email } }) => ({ id, name, email })).sort(compareNames);
}
