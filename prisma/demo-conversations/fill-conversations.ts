import { randomBytes } from 'node:crypto';
import type { ClientBase } from 'pg';
import {
  ANSWERS,
  DOMAINS,
  FIRST_NAMES,
  LAST_NAMES,
  PRODUCTS,
  QUESTIONS,
  SUBJECTS,
  TAGS,
  THANKS,
} from '#prisma/demo-conversations/demo-words.ts';

const BATCH = 10_000;
const PER_CONTACT = 5;
/** Days over which conversations are spread, up to now. */
const DAYS = 365;

type Given = {
  workspaceId: string;
  count: number;
  /** Called after each batch with the number created so far. */
  onProgress?: (made: number) => void;
};

/**
 * Adds demo conversations of the past year to a workspace: varied contacts, subjects, texts, tags, assignees,
 * statuses and channels, with about three messages each. Fires no events and no notifications. Each batch is a
 * transaction, so an interrupted run keeps the completed batches.
 */
export async function fillConversations(
  client: ClientBase,
  { workspaceId, count, onProgress }: Given,
): Promise<void> {
  // Separates this run from others. Ids follow from it and the row's number.
  const run = randomBytes(4).toString('hex');
  const contacts = Math.max(1, Math.ceil(count / PER_CONTACT));
  for (let from = 0; from < contacts; from += BATCH) {
    const to = Math.min(from + BATCH, contacts) - 1;
    await client.query(CONTACTS, [workspaceId, run, from, to, FIRST_NAMES, LAST_NAMES, DOMAINS]);
  }
  const words = [SUBJECTS, QUESTIONS, ANSWERS, THANKS, PRODUCTS, TAGS];
  for (let from = 0; from < count; from += BATCH) {
    const to = Math.min(from + BATCH, count) - 1;
    await client.query(CONVERSATIONS, [workspaceId, run, from, to, count, contacts, ...words]);
    onProgress?.(to + 1);
  }
}

/** Derives a UUID from a text, in the shape of a random one (RFC 9562 §5.4). */
function idOf(text: string): string {
  return `overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`;
}

/** Names and addresses by the contact's number. Every combination of names occurs before one repeats. */
const CONTACTS = `
  insert into contacts (id, workspace_id, first_name, last_name, email, phone, phone_digits, created_at, updated_at)
  select ${idOf("$2 || ' contact ' || n")}, $1::uuid, first, last,
    case when n % 10 < 8 then
      translate(lower(first || '.' || last), 'éáíóúñüäöøıż'' ', 'eaiounuaooiz') || n || '.' || $2 || '@' || ($7::text[])[1 + n % cardinality($7::text[])]
    end,
    phone, regexp_replace(phone, '[^0-9]', '', 'g'), made_at, made_at
  from generate_series($3::int, $4::int) n
  cross join lateral (select
    ($5::text[])[1 + n % cardinality($5::text[])] as first,
    ($6::text[])[1 + (n / cardinality($5::text[]) + n) % cardinality($6::text[])] as last,
    case when n % 10 > 6 then '+49 30 ' || lpad((n * 7919 % 10000000)::text, 7, '0') end as phone,
    now() - interval '${DAYS} days' + random() * interval '5 days' as made_at) person`;

/**
 * Inserts a batch of conversations, from old to new, and everything in them. Random values are chosen once, in
 * `made`. Old conversations are closed, like solved ones after the configured days.
 */
const CONVERSATIONS = `
  with members as materialized (
    select array_agg(m.user_id order by m.user_id) as ids, array_agg(u.name order by m.user_id) as names, count(*)::int as many
    from members m join users u on u.id = m.user_id where m.workspace_id = $1::uuid and m.role <> 'viewer'
  ),
  team as materialized (
    select array_agg(id order by id) as ids, count(*)::int as many from teams where workspace_id = $1::uuid
  ),
  rule as materialized (
    select coalesce(close_solved_after_days, ${DAYS * 2}) * interval '1 day' as solved_for from workspaces where id = $1::uuid
  ),
  drawn as materialized (
    select n, ${idOf("$2 || ' conversation ' || n")} as id,
      ${idOf("$2 || ' contact ' || floor(random() * $6::int)::int")} as contact_id,
      now() - (($5::int - n) / $5::float8) * interval '${DAYS} days' - random() * interval '6 hours' as began_at,
      1 + floor(random() * 5)::int as messages, random() as s, random() as a, random() as c, random() as t,
      floor(random() * 1000000)::int as pick, 'AB-' || lpad(floor(random() * 10000000)::text, 7, '0') as order_number,
      ($11::text[])[1 + floor(random() * cardinality($11::text[]))::int] as product
    from generate_series($3::int, $4::int) n
  ),
  timed as materialized (
    select d.*, greatest(began_at, least(
        now() - a * c * interval '2 days', began_at + (messages - 1) * (interval '20 minutes' + s * interval '9 hours'))) as last_at,
      (case when c < 0.45 then 'email' when c < 0.7 then 'webchat' when c < 0.82 then 'whatsapp' when c < 0.89 then 'instagram'
        when c < 0.95 then 'messenger' when c < 0.99 then 'telegram' else 'slack' end)::channel as channel
    from drawn d
  ),
  made as materialized (
    select d.*,
      (case when last_at > now() - interval '14 days' then
          case when s < 0.4 then 'open' when s < 0.6 then 'pending' when s < 0.85 and last_at > now() - solved_for then 'solved' else 'closed' end
        when s < 0.01 then 'open' when s < 0.02 then 'pending'
        when s < 0.12 and last_at > now() - solved_for then 'solved' else 'closed' end)::conversation_status as status,
      case when a >= 0.3 and many > 0 then 1 + pick % many end as whose
    from timed d, rule, members
  ),
  conversation as (
    insert into conversations (id, workspace_id, subject, status, priority, channel, contact_id, assignee_id, assigned_at, team_id,
      mailbox_id, status_changed_at, resolved_at, last_message_at, waiting_since, created_at, updated_at)
    select d.id, $1::uuid,
      case when channel = 'email' or t < 0.1 then
        replace(replace(($7::text[])[1 + pick % cardinality($7::text[])], '%p', product), '%o', order_number) end,
      status, (case when t < 0.03 then 'urgent' when t < 0.1 then 'high' when t > 0.95 then 'low' else 'normal' end)::priority, channel,
      contact_id, members.ids[whose], case when whose is not null then began_at end,
      case when a < 0.6 and team.many > 0 then team.ids[1 + pick / 7 % team.many] end,
      case when channel = 'email' then mailbox.id end,
      last_at, case when status = 'solved' or (status = 'closed' and s < 0.9) then last_at end, last_at,
      case when messages % 2 = 1 then last_at end, began_at, last_at
    from made d cross join members cross join team
    left join (select id from mailboxes where workspace_id = $1::uuid and is_default) mailbox on true
  ),
  message as (
    insert into messages (id, workspace_id, conversation_id, direction, author_kind, author_id, author_name, content, send_status, created_at)
    select ${idOf('d.id::text || i')}, $1::uuid, d.id,
      (case when by_team then 'outbound' else 'inbound' end)::message_direction,
      (case when by_team then 'teammate' else 'contact' end)::actor_kind,
      case when by_team then members.ids[coalesce(whose, 1)] end, case when by_team then members.names[coalesce(whose, 1)] end,
      replace(replace(text, '%p', product), '%o', order_number),
      case when by_team and channel = 'email' then 'sent'::send_status end,
      began_at + (last_at - began_at) * ((i - 1)::float8 / greatest(messages - 1, 1))
    from made d cross join members
    cross join lateral generate_series(1, messages) i
    cross join lateral (select i % 2 = 0 and many > 0 as by_team) author
    cross join lateral (select case
      when i = 1 then ($8::text[])[1 + pick % cardinality($8::text[])]
      when by_team then ($9::text[])[1 + (pick + i) % cardinality($9::text[])]
      else ($10::text[])[1 + (pick + i) % cardinality($10::text[])] end as text) words
  ),
  entry as (
    insert into timeline_entries (id, workspace_id, conversation_id, kind, actor_kind, created_at)
    select gen_random_uuid(), $1::uuid, id, 'created', 'contact', began_at - interval '1 millisecond' from made
  ),
  sample as (
    insert into samples (conversation_id, workspace_id, event, subject_id, occurred_at)
    select id, $1::uuid, 'message.received', ${idOf('id::text || 1')}, began_at from made
  )
  insert into conversation_tags (conversation_id, workspace_id, key, name, position, created_at)
  select d.id, $1::uuid, lower(tag), tag, min(p), began_at
  from made d
  cross join lateral generate_series(1, pick % 4) p
  cross join lateral (select ($12::text[])[1 + floor(power(random() + p * 0, 3) * cardinality($12::text[]))::int] as tag) chosen
  group by d.id, tag, began_at`;
