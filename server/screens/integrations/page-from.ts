import { validate as isUuid } from 'uuid';
import type { Db } from '#server/core/database/db.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';

/** Connections of a page. */
export const PAGE_ITEMS = 20;

/**
 * Where a page of connections begins, for a query of those that `where` allows: behind the connection that ended the page
 * before, or at the first when the cursor is none of them.
 */
export async function pageFrom(db: Db, where: Prisma.ConnectionWhereInput, cursor: string | undefined) {
  const from = isUuid(cursor)
    ? await db.connection.findFirst({ where: { ...where, id: cursor ?? '' }, select: { id: true } })
    : null;
  return { ...(from ? { cursor: from, skip: 1 } : {}), take: PAGE_ITEMS + 1 };
}
