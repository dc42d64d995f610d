import { Prisma } from '#server/generated/prisma/client.ts';
import { bucketOf, DIMENSIONS, MEASURES } from '#server/inbox/reports/measures.ts';

type Counted = { workspaceId: string; ids: string[]; timeZone: string };

const COLUMNS = Prisma.raw(
  `conversation_id, workspace_id, channel, assignee_id, team_id, tags, created_day, created_hour, replied_at, replied_day, reply_seconds,
   resolved_at, resolved_day, resolve_seconds, sla_day, sla_met, rated_day, score`,
);
const TAGS_MAX = 100;

/**
 * Returns the statement that computes the facts of conversations again, from the tables that the inbox reads, and changes the counts by
 * the difference. The caller has locked the workspace's `report_states`, so that counts are always the sum of facts. What is not
 * counted (docs/rulings.md 3.49) loses its facts, unless its contact is being erased: those stay until the conversation is deleted.
 */
export function countStatement(counted: Counted): Prisma.Sql {
  const { workspaceId, ids } = counted;
  return Prisma.sql`
    with fresh as materialized (${factsOf(counted)}),
    signed as (
      select -1 as sign, ${COLUMNS} from conversation_facts f where conversation_id = any (${ids}::uuid[]) and ${IS_NO_TEST}
      union all select 1, ${COLUMNS} from fresh
    ), changed as (
      insert into report_counts (workspace_id, dimension, is_month, day, key, measure, bucket, count)
      select ${workspaceId}::uuid, d.dimension, m.is_month, case when m.is_month then date_trunc('month', e.day)::date else e.day end as day,
        d.key, e.measure, e.bucket, sum(s.sign)
      from signed s
      cross join lateral (values
        (s.created_day, ${MEASURES.created}::int, s.created_hour::int),
        (s.replied_day, ${MEASURES.replied}::int, ${bucketOf(Prisma.sql`s.reply_seconds`)}),
        (s.resolved_day, ${MEASURES.resolved}::int, ${bucketOf(Prisma.sql`s.resolve_seconds`)}),
        (s.sla_day, ${MEASURES.sla}::int, s.sla_met::int),
        (s.rated_day, ${MEASURES.rated}::int, s.score::int)
      ) as e (day, measure, bucket)
      cross join lateral (
        select ${DIMENSIONS.all}::int, ''
        union all select ${DIMENSIONS.teammate}::int, coalesce(s.assignee_id::text, '')
        union all select ${DIMENSIONS.team}::int, coalesce(s.team_id::text, '')
        union all select ${DIMENSIONS.channel}::int, s.channel::text
        union all select ${DIMENSIONS.tag}::int, unnest(s.tags)
      ) as d (dimension, key)
      cross join (values (false), (true)) as m (is_month)
      where e.day is not null
      group by 2, 3, 4, 5, 6, 7 having sum(s.sign) <> 0
      on conflict (workspace_id, dimension, is_month, day, key, measure, bucket)
        do update set count = report_counts.count + excluded.count
    ), forgotten as (
      delete from conversation_facts f where f.conversation_id = any (${ids}::uuid[]) and ${IS_NO_TEST}
        and not exists (select from fresh where fresh.conversation_id = f.conversation_id)
    )
    insert into conversation_facts as f (${COLUMNS}) select ${COLUMNS} from fresh
    on conflict (conversation_id) do update set (${COLUMNS}) = row (excluded.*)
    where f is distinct from excluded`;
}

/** Condition: facts `f` are of no test. Only an erasure makes a test of a conversation with facts. */
const IS_NO_TEST = Prisma.sql`(select not c.is_test from conversations c where c.id = f.conversation_id)`;

/** Selects the facts of the conversations that are counted. What a resolved conversation took, and who had it, stays. */
function factsOf({ workspaceId, ids, timeZone }: Counted): Prisma.Sql {
  const day = (at: Prisma.Sql) => Prisma.sql`(${at} at time zone ${timeZone}::text)::date`;
  const local = Prisma.sql`(c.created_at at time zone ${timeZone}::text)`;
  const hours = Prisma.sql`coalesce(t.business_hours, w.business_hours)`;
  const seconds = (until: Prisma.Sql) =>
    Prisma.sql`case when ${until} is not null then least(greatest(open_ms(${hours}, c.created_at, ${until}) / 1000, 0), 2147483647)::int end`;
  const isSameResolution = Prisma.sql`resolved.at is not null and resolved.at = f.resolved_at`;
  return Prisma.sql`
    select c.id as conversation_id, c.workspace_id, c.channel,
      coalesce(c.assignee_id, case when ${isSameResolution} then f.assignee_id end) as assignee_id,
      coalesce(c.team_id, case when ${isSameResolution} then f.team_id end) as team_id,
      array(select g.key from conversation_tags g where g.conversation_id = c.id order by g.key limit ${TAGS_MAX}::int) as tags,
      ${local}::date as created_day, ((extract(isodow from ${local}) - 1) * 24 + extract(hour from ${local}))::smallint as created_hour,
      reply.at as replied_at, ${day(Prisma.sql`reply.at`)} as replied_day, coalesce(f.reply_seconds, ${seconds(Prisma.sql`reply.at`)}) as reply_seconds,
      resolved.at as resolved_at, ${day(Prisma.sql`resolved.at`)} as resolved_day,
      case when ${isSameResolution} then f.resolve_seconds else ${seconds(Prisma.sql`resolved.at`)} end as resolve_seconds,
      ${day(Prisma.sql`sla.at`)} as sla_day, sla.met as sla_met, ${day(Prisma.sql`rating.created_at`)} as rated_day, rating.score
    from conversations c
    join workspaces w on w.id = c.workspace_id
    left join teams t on t.id = c.team_id and t.deleted_at is null
    left join conversation_facts f on f.conversation_id = c.id
    cross join lateral (select coalesce(f.replied_at, (${FIRST_REPLY})) as at) as reply
    cross join lateral (select case
      when c.status not in ('solved', 'closed') then null
      when c.resolved_at is null or (c.status = 'closed' and ${WAS_REOPENED}) then c.status_changed_at
      else c.resolved_at end as at) as resolved
    left join lateral (
      select coalesce(min(breached_at), max(stopped_at)) as at, min(breached_at) is null as met
      from sla_clocks k where k.conversation_id = c.id
      having min(breached_at) is not null or bool_and(stopped_at is not null)
    ) as sla on true
    left join lateral (
      select r.created_at, r.score from ratings r where r.conversation_id = c.id order by r.created_at desc limit 1
    ) as rating on true
    where c.id = any (${ids}::uuid[]) and c.workspace_id = ${workspaceId}::uuid
      and not c.is_test and c.merged_into_id is null
      and (c.removal is null or f.conversation_id is not null and ${WAS_DELETED_BY_RULE})`;
}

/** Replies of a conversation that a contact started, like those that stop the SLA clock of the first response. */
const FIRST_REPLY = Prisma.sql`
  select m.created_at from messages m
  where m.conversation_id = c.id and m.direction = 'outbound' and m.author_kind in ('teammate', 'workflow', 'program')
    and not m.automatic and coalesce(m.send_status = 'sent', true)
    and 'inbound' = (select o.direction from messages o where o.conversation_id = c.id order by o.created_at, o.id limit 1)
  order by m.created_at limit 1`;

/** Condition: a retention rule deleted the conversation, not a teammate. The figures of past days must not shrink each night. */
const WAS_DELETED_BY_RULE = Prisma.sql`c.removal = 'deleted' and 'automatic' = (
  select e.actor_kind from timeline_entries e where e.conversation_id = c.id and e.kind = 'deleted'
  order by e.created_at desc, e.id desc limit 1)`;

/** Condition: the conversation was solved, reopened, and then closed without being solved again. */
const WAS_REOPENED = Prisma.sql`exists (
  select from timeline_entries e where e.conversation_id = c.id and e.created_at > c.resolved_at
    and (e.kind = 'snoozed' or e.kind = 'status_changed' and e.data ->> 'to' in ('open', 'pending')))`;
