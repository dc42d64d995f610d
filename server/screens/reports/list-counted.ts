import { validate as isUuid } from 'uuid';
import { sql } from '#server/core/database/sql.ts';
import { isDay } from '#server/core/day.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Period } from '#server/inbox/reports/period.ts';
import type { ReportFilter } from '#server/inbox/reports/read-report.ts';
import type { CountedConversation, CountedPage, ListedMeasure } from '#server/screens/reports/views.ts';

const PAGE = 50;
/** Conversations of the period that a page looks through. A page may be short and have a next one. */
const SCANNED_MAX = 10_000;

const NOTHING = Prisma.sql`null::int`;

const LISTED: Record<ListedMeasure, { day: Prisma.Sql; value: Prisma.Sql; only?: Prisma.Sql }> = {
  created: { day: Prisma.sql`f.created_day`, value: NOTHING },
  replied: { day: Prisma.sql`f.replied_day`, value: Prisma.sql`f.reply_seconds` },
  resolved: { day: Prisma.sql`f.resolved_day`, value: Prisma.sql`f.resolve_seconds` },
  sla: { day: Prisma.sql`f.sla_day`, value: NOTHING, only: Prisma.sql`f.sla_met` },
  missed: { day: Prisma.sql`f.sla_day`, value: NOTHING, only: Prisma.sql`not f.sla_met` },
  rated: { day: Prisma.sql`f.rated_day`, value: Prisma.sql`f.score` },
};

type Asked = {
  workspaceId: string;
  period: Period;
  filter: ReportFilter;
  measure: ListedMeasure;
  hour?: number | undefined;
  cursor?: string | undefined;
};

/** Lists the conversations behind a number, those of the newest days first. */
export async function listCounted({
  workspaceId,
  period,
  filter,
  measure,
  hour,
  cursor,
}: Asked): Promise<CountedPage> {
  const { day, value, only } = LISTED[measure];
  const before = parseCursor(cursor);
  const conditions = [
    conditionOf(filter),
    ...(only ? [only] : []),
    ...(hour === undefined ? [] : [Prisma.sql`f.created_hour = ${hour}::int`]),
  ];
  const rows = await sql().$queryRaw<(CountedConversation & { isListed: boolean })[]>`
    with scanned as materialized (
      select f.conversation_id as id, ${day} as day, ${value} as value, ${Prisma.join(conditions, ' and ')} as is_listed
      from conversation_facts f
      where f.workspace_id = ${workspaceId}::uuid and ${day} between ${period.from}::date and ${period.to}::date
        ${before ? Prisma.sql`and (${day}, f.conversation_id) < (${before.day}::date, ${before.id}::uuid)` : Prisma.empty}
      order by ${day} desc, f.conversation_id desc limit ${SCANNED_MAX}::int
    ), listed as (
      select id, day, value, true as is_listed from scanned where is_listed order by day desc, id desc limit ${PAGE + 1}::int
    ), last as (
      select id, day, value, false as is_listed from scanned order by day, id limit (
        case when (select count(*) from scanned) = ${SCANNED_MAX}::int and (select count(*) from listed) <= ${PAGE}::int then 1 else 0 end)
    )
    select s.id, s.is_listed as "isListed", to_char(s.day, 'YYYY-MM-DD') as day, s.value, c.subject, u.name as "assigneeName",
      nullif(trim(concat_ws(' ', o.first_name, o.last_name)), '') as "contactName"
    from (select * from listed union all select * from last) as s
    left join conversations c on c.id = s.id
    left join contacts o on o.id = c.contact_id
    left join users u on u.id = c.assignee_id
    order by s.is_listed desc, s.day desc, s.id desc`;
  const listed = rows.filter(({ isListed }) => isListed);
  const items = listed.slice(0, PAGE).map(({ isListed: _, ...item }) => item);
  const end = listed.length > PAGE ? items.at(-1) : rows.find(({ isListed }) => !isListed);
  return { items, next: end ? `${end.day}.${end.id}` : null };
}

function parseCursor(cursor: string | undefined): { day: string; id: string } | null {
  const [day = '', id = ''] = cursor?.split('.') ?? [];
  return isDay(day) && isUuid(id) ? { day, id } : null;
}

function conditionOf({ dimension, key }: ReportFilter): Prisma.Sql {
  switch (dimension) {
    case 'all':
      return Prisma.sql`true`;
    case 'teammate':
      return Prisma.sql`coalesce(f.assignee_id::text, '') = ${key}`;
    case 'team':
      return Prisma.sql`coalesce(f.team_id::text, '') = ${key}`;
    case 'channel':
      return Prisma.sql`f.channel::text = ${key}`;
    case 'tag':
      return Prisma.sql`${key} = any (f.tags)`;
  }
}
