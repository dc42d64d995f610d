import { sql } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ReceivedUpdate } from '#server/inbox/channels/received-update.ts';
import { sortParts } from '#server/inbox/messages/album-parts.ts';

/** A stored update that is not processed yet. */
export type WaitingUpdate = {
  id: string;
  accountId: string;
  album: string | null;
  body: Uint8Array;
  headers: unknown;
  receivedAt: Date;
  attempts: number;
};

/** Columns of a `WaitingUpdate`. */
export const WAITING_COLUMNS = Prisma.sql`
  id, account_id as "accountId", album, body, headers, received_at as "receivedAt", attempts`;

/** Maximum number of parts that are processed together. Telegram's albums have up to 10; others are added afterwards. */
const PARTS_MAX = 20;

/** Returns an update with the parts of its album that failed equally often, in the order of their receipt. */
export async function findParts(update: WaitingUpdate): Promise<WaitingUpdate[]> {
  const { accountId, album, attempts } = update;
  if (album === null) return [update];
  return sql().$queryRaw`
    select ${WAITING_COLUMNS} from inbound_updates
    where account_id = ${accountId}::uuid and album = ${album} and processed_at is null and attempts = ${attempts}
    order by received_at, id limit ${PARTS_MAX}`;
}

/** Returns the first part of an album that waits in one of the threads, and was received before an update. */
export async function findAlbumBefore(
  { id, accountId, album }: WaitingUpdate,
  threadIds: string[],
): Promise<WaitingUpdate | undefined> {
  if (threadIds.length === 0) return undefined;
  const [found] = await sql().$queryRaw<WaitingUpdate[]>`
    select ${WAITING_COLUMNS} from inbound_updates
    where account_id = ${accountId}::uuid and processed_at is null and attempts = 0 and album is not null
      and album is distinct from ${album} and split_part(album, ':', 1) = any(${threadIds}::text[])
      and received_at < (select received_at from inbound_updates where id = ${id}::uuid)
    order by received_at, id limit 1`;
  return found;
}

/** Joins the parts of an album into one message, in the order of their ids at the provider. */
export function joinAlbums(received: ReceivedUpdate[]): ReceivedUpdate[] {
  const joined: ReceivedUpdate[] = [];
  for (const each of received) {
    const { parts, externalId } = each.kind === 'message' ? each : {};
    const known = joined.find(
      (other) => parts !== undefined && other.kind === 'message' && other.externalId === externalId,
    );
    if (known?.kind === 'message' && parts) known.parts = sortParts([...(known.parts ?? []), ...parts]);
    else joined.push({ ...each });
  }
  return joined;
}
