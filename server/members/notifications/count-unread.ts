import type { Db } from '#server/ground/db.ts';

/** Beyond this nobody needs the exact number, and it need not be counted. */
const COUNTED_MAX = 100;

/** How many notifications of a teammate in one workspace are unread; 100 means so many or more. */
export function countUnread(
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<number> {
  return db.notification.count({ where: { userId, workspaceId, readAt: null }, take: COUNTED_MAX });
}
