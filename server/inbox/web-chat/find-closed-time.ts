import { sql } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { closedTime } from '#server/inbox/conversations/closed-time.ts';

/** A time outside business hours. */
export type ClosedTime = { from: Date; until: Date };

/** How far ahead the next opening is looked for: longer than company holidays. */
const AHEAD_DAYS = 92;

/**
 * Returns the current or next time outside the business hours of a conversation's team, else of the workspace. Null when it is always
 * open, or stays closed for three months.
 * @param conversationId null for a visitor who has not written yet
 */
export async function findClosedTime({
  workspaceId,
  conversationId,
}: {
  workspaceId: string;
  conversationId: string | null;
}): Promise<ClosedTime | null> {
  const from = Prisma.sql`workspaces w
    left join conversations c on c.workspace_id = w.id and c.id = ${conversationId}::uuid
    left join teams t on t.id = c.team_id and t.deleted_at is null
    where w.id = ${workspaceId}::uuid`;
  const until = Prisma.sql`now() + make_interval(days => ${AHEAD_DAYS}::int)`;
  const [closed] = await sql().$queryRaw<ClosedTime[]>`
    select since as "from", opens as "until" from (${closedTime(from, until)}) closed`;
  return closed ?? null;
}
