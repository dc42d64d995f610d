import { Prisma } from '#server/generated/prisma/client.ts';

/**
 * Returns a query of the current or next time outside business hours: a row (`since`, `opens`), or none. It looks a day back, because
 * the clock of the browser may be behind.
 * @param from tables with their conditions, in SQL. They or the statement around have the aliases `w`, the workspace, and `t`, the team
 *   or nulls
 * @param until how far it looks ahead
 */
export function closedTime(from: Prisma.Sql, until: Prisma.Sql): Prisma.Sql {
  const hours = Prisma.sql`coalesce(t.business_hours, w.business_hours)`;
  return Prisma.sql`
    select since, opens from (
      select lag(closes, 1, now() - interval '1 day') over (order by opens) as since, opens
      from (select ${hours} as hours from ${from}) own
      cross join lateral open_spans(own.hours, now() - interval '1 day', ${until})
      where own.hours is not null
    ) as gap
    where since < opens and opens > now() order by opens limit 1`;
}
