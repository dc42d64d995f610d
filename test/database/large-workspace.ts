import type { Db } from '#server/core/database/prisma.ts';
import { inBulk } from '#test/database/in-bulk.ts';

/**
 * Fills a workspace like a large one after some years, with unfavourable data: the newest tenth of the
 * conversations is merged or a test of the AI agent. One contact has every hundredth conversation, and every
 * tenth contact has the same phone number.
 */
export async function fillWorkspace(
  workspace: { workspaceId: string; userId: string; teamId: string },
  size: { contacts: number; conversations: number },
): Promise<void> {
  await inBulk((db) => fill(db, workspace, size));
}

async function fill(
  db: Db,
  { workspaceId, userId, teamId }: { workspaceId: string; userId: string; teamId: string },
  { contacts, conversations }: { contacts: number; conversations: number },
): Promise<void> {
  await db.$executeRaw`
    insert into contacts (id, workspace_id, first_name, last_name, email, phone, phone_digits, created_at, updated_at)
    select gen_random_uuid(), ${workspaceId}::uuid, 'Contact', n::text, 'contact' || n || '@example.test', p.phone,
      regexp_replace(p.phone, '[^0-9]', '', 'g'), now() - n * interval '1 minute', now()
    from generate_series(0, ${contacts}::int - 1) n
    cross join lateral (select case when n % 10 = 0 then '+49 30 1234' else '+49 40 ' || n end as phone) p`;
  await db.$executeRaw`
    insert into contact_identities (id, workspace_id, contact_id, channel, external_id)
    select gen_random_uuid(), workspace_id, id, 'telegram', id from contacts where workspace_id = ${workspaceId}::uuid`;
  await db.$executeRaw`
    with numbered as (
      select id, row_number() over (order by created_at desc) - 1 as number
      from contacts where workspace_id = ${workspaceId}::uuid and first_name = 'Contact'
    )
    insert into conversations (id, workspace_id, subject, status, channel, contact_id, assignee_id, assigned_at, team_id,
      is_test, status_changed_at, resolved_at, last_message_at, created_at, updated_at)
    select gen_random_uuid(), ${workspaceId}::uuid, 'Conversation ' || n, s.status, 'email', c.id,
      case when n % 3 = 0 then ${userId}::uuid end, case when n % 3 = 0 then t.at end, ${teamId}::uuid,
      n % 20 = 1 and n < ${conversations}::int / 10, case when s.status = 'closed' then t.at - interval '99 days' else t.at end,
      case when s.status = 'solved' then t.at end, t.at, t.at, t.at
    from generate_series(0, ${conversations}::int - 1) n
    join numbered c on c.number = case when n % 100 = 0 then 0 else n % ${contacts}::int end
    cross join lateral (select now() - n * interval '10 seconds' as at) t
    cross join lateral (select (array['open', 'pending', 'solved', 'closed'])[n % 4 + 1]::conversation_status as status) s`;
  await db.$executeRaw`
    update conversations set merged_into_id = (
      select id from conversations where workspace_id = ${workspaceId}::uuid and not is_test order by created_at limit 1)
    where workspace_id = ${workspaceId}::uuid and not is_test and subject is not null
      and created_at > now() - ${conversations}::int * interval '1 second'`;
  await fillWithDetails(db, workspaceId);
  await fillWithEndedConnections(db, { workspaceId, count: contacts });
}

/**
 * Inserts a tagging with two tags, a message, a rating and a command run for every conversation, with their
 * samples.
 */
async function fillWithDetails(db: Db, workspaceId: string): Promise<void> {
  const sources = [
    `insert into messages (id, workspace_id, conversation_id, direction, author_kind, content, created_at)
     select gen_random_uuid(), workspace_id, id, 'inbound', 'contact', 'Hello', created_at from conversations where workspace_id = $1::uuid`,
    `insert into ratings (id, workspace_id, conversation_id, solved_conversation_id, score, created_at)
     select gen_random_uuid(), workspace_id, id, id, 5, created_at from conversations where workspace_id = $1::uuid
     on conflict do nothing`,
    `insert into command_runs (id, workspace_id, conversation_id, operator_name, operator_email, command, created_at)
     select gen_random_uuid(), workspace_id, id, 'O', 'o@o.test', 'refund', created_at from conversations where workspace_id = $1::uuid`,
    `insert into taggings (id, workspace_id, conversation_id, actor_kind, created_at)
     select gen_random_uuid(), workspace_id, id, 'teammate', created_at from conversations where workspace_id = $1::uuid`,
    `insert into tagging_tags (tagging_id, workspace_id, position, key, name, created_at)
     select id, workspace_id, p, 'tag' || p, 'Tag' || p, created_at from taggings, generate_series(0, 1) p where workspace_id = $1::uuid`,
    `insert into conversation_tags (conversation_id, workspace_id, key, name, position, created_at)
     select conversation_id, workspace_id, 'tag' || p, 'Tag' || p, p, created_at from taggings, generate_series(0, 1) p where workspace_id = $1::uuid
     on conflict do nothing`,
    `insert into samples (workspace_id, conversation_id, event, filter, subject_id, occurred_at)
     select s.workspace_id, s.conversation_id, s.event, s.filter, s.id, s.created_at
     from (
       select workspace_id, conversation_id, id, created_at, 'message.received' as event, '' as filter from messages
       union all select workspace_id, conversation_id, id, created_at, 'conversation.rated', '' from ratings
       union all select workspace_id, conversation_id, id, created_at, 'operator.command', unnest(array['', 'refund']) from command_runs
       union all select workspace_id, conversation_id, id, created_at, 'conversation.tagged', unnest(array['', 'tag0', 'tag1']) from taggings
     ) s join conversations c on c.id = s.conversation_id
     where s.workspace_id = $1::uuid and c.merged_into_id is null and not c.is_test
     on conflict do nothing`,
  ];
  for (const source of sources) await db.$executeRawUnsafe(source, workspaceId);
}

/**
 * Adds what fills a workspace over the years besides: contacts that claim the addresses of others, with
 * conversations of which the newest are spam or deleted, snoozes, SLA clocks that have stopped, and blocked senders. The
 * oldest contact is called Methuselah.
 */
export async function fillWithRest(
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<void> {
  const statements = [
    `update contacts set created_at = now() - interval '1 year' where workspace_id = $1::uuid and first_name <> 'Contact'`,
    `insert into contacts (id, workspace_id, first_name, created_at)
     select gen_random_uuid(), $1::uuid, 'Methuselah', now() - interval '9 years'`,
    `with claimant as (
       insert into contacts (id, workspace_id, first_name, last_name, claimed_email, created_at)
       select gen_random_uuid(), $1::uuid, 'Contact', 'Claim ' || n, 'contact' || n % 4000 || '@example.test',
         now() - (5000 + n) * interval '1 minute'
       from generate_series(0, 7999) n returning id, substr(last_name, 7)::int as n
     ), conversation as (
       insert into conversations (id, workspace_id, subject, channel, contact_id, contact_claimed, removal, removed_at, status,
         snoozed_until, last_message_at, created_at, updated_at)
       select gen_random_uuid(), $1::uuid, 'Claim', 'email', id, true, removal, case when removal is not null then t.at end,
         (case when removal is null and n % 2 = 0 then 'pending' else 'open' end)::conversation_status,
         case when removal is null and n % 4 = 0 then now() + interval '1 day' end, t.at, t.at, t.at
       from claimant
       cross join lateral (select now() - n * interval '10 seconds' as at) t
       cross join lateral (select case when n < 2000 then (array['spam', 'deleted'])[n % 2 + 1]::removal end as removal) r
       returning id, created_at
     ), message as (
       insert into messages (id, workspace_id, conversation_id, direction, author_kind, content, created_at)
       select gen_random_uuid(), $1::uuid, id, 'inbound', 'contact', 'Hello', created_at from conversation
     )
     insert into timeline_entries (id, workspace_id, conversation_id, kind, actor_kind, data, created_at)
     select gen_random_uuid(), $1::uuid, id, 'created', 'contact', '{}', created_at from conversation`,
    `insert into sla_clocks (id, workspace_id, conversation_id, kind, started_at, due_at, stopped_at)
     select gen_random_uuid(), workspace_id, id, 'resolution', now(), now() - interval '1 day', now()
     from conversations where workspace_id = $1::uuid and status in ('solved', 'closed')`,
    `insert into blocked_senders (id, workspace_id, kind, value, created_by_name)
     select gen_random_uuid(), $1::uuid, 'address', 'spam' || n || '@ads.test', 'Ada' from generate_series(1, 5000) n`,
    `update workspaces set close_solved_after_days = 7 where id = $1::uuid`,
  ];
  for (const statement of statements) await db.$executeRawUnsafe(statement, workspaceId);
  await db.$executeRaw`
    insert into notifications (id, workspace_id, user_id, kind, read_at, emailed_at, created_at)
    select gen_random_uuid(), ${workspaceId}::uuid, ${userId}::uuid, 'assigned', case when n > 30 then now() end, now(),
      now() - n * interval '1 minute'
    from generate_series(1, 20000) n`;
  // New rows fill the space of removed ones: the order of the rows says nothing about their age.
  await db.$executeRaw`
    insert into access_tokens (token_hash, connection_id, expires_at)
    select sha256(n::text::bytea), (select id from connections where workspace_id = ${workspaceId}::uuid and ended_at is null),
      now() - make_interval(hours => n * 7919 % 2150)
    from generate_series(1, 20000) n`;
}

/** Inserts ended connections with tokens, so that a token lookup searches among many. */
async function fillWithEndedConnections(
  db: Db,
  { workspaceId, count }: { workspaceId: string; count: number },
): Promise<void> {
  await db.$executeRaw`
    with ended as (
      insert into connections (id, workspace_id, teammate_name, teammate_email, ended_at, end_reason)
      select gen_random_uuid(), ${workspaceId}::uuid, 'O', 'o@o.test', now(), 'disconnected' from generate_series(1, ${count}::int)
      returning id
    )
    insert into access_tokens (token_hash, connection_id, expires_at)
    select sha256(id::text::bytea), id, now() from ended`;
}
