import { sql } from '#server/core/database/sql.ts';

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
  const [closed] = await sql().$queryRaw<ClosedTime[]>`
    select since as "from", opens as "until"
    from (
      -- Since a day ago, because the clock of the browser may be behind.
      select lag(closes, 1, now() - interval '1 day') over (order by opens) as since, opens
      from workspaces w
      left join conversations c on c.workspace_id = w.id and c.id = ${conversationId}::uuid
      left join teams t on t.id = c.team_id and t.deleted_at is null
      cross join lateral open_spans(coalesce(t.business_hours, w.business_hours), now() - interval '1 day',
        now() + make_interval(days => ${AHEAD_DAYS}::int))
      where w.id = ${workspaceId}::uuid and coalesce(t.business_hours, w.business_hours) is not null
    ) as gap
    where since < opens and opens > now()
    order by opens limit 1`;
  return closed ?? null;
}
