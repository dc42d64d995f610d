import type { LogCursor } from '#server/core/cursor.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** A saved reply as programs see it. */
export type SharedReply = { id: string; name: string; folder: string; content: string; updated_at: string };

type Row = Omit<SharedReply, 'updated_at'> & { updatedAt: Date; micros: string };

/** Returns the saved replies that the workspace shares, in the order of their creation, after a position. */
export async function listSharedReplies(
  db: SqlDb,
  { workspaceId, after, limit }: { workspaceId: string; after: LogCursor | null; limit: number },
): Promise<{ item: SharedReply; position: LogCursor }[]> {
  const position = after
    ? Prisma.sql`and (created_at, id)
        > (timestamptz 'epoch' + ${after.micros}::bigint * interval '1 microsecond', ${after.id}::uuid)`
    : Prisma.empty;
  const rows = await db.$queryRaw<Row[]>`
    select id, name, folder, content, updated_at as "updatedAt",
      (extract(epoch from created_at) * 1000000)::bigint::text as micros
    from saved_replies where workspace_id = ${workspaceId}::uuid and owner_id is null ${position}
    order by created_at, id limit ${limit}::int`;
  return rows.map(({ updatedAt, micros, ...reply }) => ({
    item: { ...reply, updated_at: timestamp(updatedAt) },
    position: { micros, id: reply.id },
  }));
}
