import { validate as isUuid } from 'uuid';
import type { Db } from '#server/core/database/db.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

const INTO_CLAIMED =
  'The visitor in that web chat gave an unverified address, and would see messages meant for someone else. Open that conversation and merge it into this one.';
const BETWEEN_CLAIMED =
  'The visitors in both web chats gave unverified addresses, and one would see messages meant for the other. Reply to each in their own conversation.';

/** A web chat whose visitor gave an address that no one checked, with the tag of the visitor who began it. */
type Side = { id: string; isClaimedChat: boolean; visitor: string | null };

/**
 * Why a conversation cannot be merged into others of its workspace, as a sentence by their id; those without a problem
 * are left out, as is every id that is none of the workspace. One round trip.
 *
 * A web chat whose visitor gave an address that no one checked takes in nothing but other chats of that same visitor:
 * from a merge on the team answers both where it leads, and the visitor who began that chat reads it (decisions:
 * conversations and contacts, 13).
 */
export async function findMergeProblems(
  db: Db,
  { workspaceId, id, intoIds }: { workspaceId: string; id: string; intoIds: string[] },
): Promise<Record<string, string>> {
  const sides = await readSides(db, workspaceId, [id, ...intoIds].filter(isUuid));
  const from = sides.find((side) => side.id === id.toLowerCase());
  if (!from) return {};
  const problems: Record<string, string> = {};
  for (const into of sides) {
    if (!into.isClaimedChat || into === from) continue;
    if (into.visitor !== null && into.visitor === from.visitor) continue;
    problems[into.id] = from.isClaimedChat ? BETWEEN_CLAIMED : INTO_CLAIMED;
  }
  return problems;
}

/** The first message of a chat says who began it: of somebody else there is a later one at most, after a merge. */
function readSides(db: Db, workspaceId: string, ids: string[]): Promise<Side[]> {
  return db.$queryRaw<Side[]>(Prisma.sql`
    select c.id, c.channel = 'webchat' and c.contact_claimed as "isClaimedChat", begun.visitor
    from conversations c
    left join lateral (
      select split_part(m.external_id, ':', 2) as visitor from messages m
      where m.conversation_id = c.id and m.direction = 'inbound' and c.channel = 'webchat'
      order by m.created_at, m.id limit 1
    ) begun on true
    where c.workspace_id = ${workspaceId}::uuid and c.id = any (${ids}::uuid[])`);
}
