import type { Client, ClientBase } from 'pg';
import { requireNoOtherSessions } from '#scripts/backup/database-session.ts';
import { HELD_TASKS, type HeldTask, type JobName } from '#server/core/jobs/jobs.ts';
import { WORK_CHANNEL } from '#server/core/jobs/wake-workers.ts';
import { UserError } from '#server/core/user-error.ts';
import { RETENTION_DAYS } from '#server/inbox/provider-updates/store-update.ts';

type Held = JobName | HeldTask | 'deliver' | 'fan-out';

/** What each kind of held work does when it is released. */
const EFFECTS: Record<Held, string> = {
  deliver: 'sends an event to a workflow or webhook',
  'fan-out': 'sends an event to all workflows and webhooks that listen for it',
  'send-message': 'sends an email to a contact',
  'send-chat-message': 'sends a message to a contact in a chat',
  'send-pending-reply': 'sends a reply that could still be undone',
  'answer-contact': 'lets the AI agent answer a contact',
  'ask-for-rating': 'asks a contact for a rating by email',
  'send-push': 'sends a push notification to a teammate, if it is at most an hour old',
  'mail-notifications': 'emails notifications to teammates',
  'mail-unseen': 'schedule: emails what teammates have not seen',
  'mail-invitation': 'emails an invitation',
  'mail-password-reset': 'emails a link for a new password',
  'mail-new-device': 'emails a teammate about a sign-in on a new device',
  'mail-address-change': 'emails links that confirm or prevent a change of an address',
  'mail-second-factor': 'emails a teammate that their second factor is off',
  'record-failed-sign-in': 'adds a failed sign-in to the audit log',
  'assign-waiting': 'assigns conversations of a team, which sends events',
  'run-flows': 'runs automations on a changed conversation, which sends events',
  'notify-of-new-conversations': 'notifies teammates of new conversations',
  'apply-retention': 'schedule: deletes or anonymizes what a retention rule names, which sends events',
  'close-solved': 'schedule: closes solved conversations, which sends events',
  'end-snoozes': 'schedule: reopens snoozed conversations, which sends events',
  'run-timed-flows': 'schedule: runs automations that waited for time to pass, which sends events',
  'breach-clocks': 'schedule: notifies teammates of missed response times',
  'redeliver-failed': 'sends failed events of a workflow again',
  'replay-webhook': 'sends past events to a webhook again',
  'cancel-events': 'cancels events of a removed conversation',
  'look-up-sender': 'receives an email: checks its sender',
  'receive-mail': 'receives an email',
  'process-updates': 'receives messages of a channel',
  'retry-update': 'receives a message that failed before',
  'update-search': 'prepares the search',
  'recount-clocks': 'moves due times to changed business hours',
  'export-workspace': 'continues the export of a workspace',
  'mail-export': 'emails an owner that an export is ready',
  'remove-account': 'removes a deleted account',
  'remove-workspace': 'removes a deleted workspace',
  'remove-team': 'removes a deleted team',
  'replace-tag': 'renames, merges or deletes a tag',
  'remove-company': 'removes a deleted company',
  'remove-field-values': 'removes the values of a deleted field',
  'link-contacts': 'links contacts to a company',
  'remove-test-conversation': 'removes a test of the AI agent',
};

/**
 * Holds what a worker would send again (`hold_restored_work`). The leases are those of workers from before the restore, which have no
 * sessions.
 * @throws UserError while a server or worker runs
 */
export async function holdWork(client: Client): Promise<void> {
  await requireNoOtherSessions(client);
  await client.query('delete from public.worker_leases');
  await client.query('select public.hold_restored_work()');
}

export type HeldGroup = { task: string; count: number; oldest: Date; effect: string };

/** Lists held work by task. */
export async function listHeld(client: ClientBase): Promise<HeldGroup[]> {
  const { rows } = await client.query<Omit<HeldGroup, 'effect'>>(
    `select task, count(*)::int as count, min(coalesce(run_at, held_at)) as oldest from held_work group by task order by task`,
  );
  const effects: Record<string, string | undefined> = EFFECTS;
  return rows.map((row) => ({ ...row, effect: effects[row.task] ?? '' }));
}

export type HeldItem = { id: string; task: string; runAt: Date; payload: unknown; about: string | null };

/** Lists held work of a task, the oldest first. `about`: the workspace, where the work names one. */
export async function listItems(client: ClientBase, task: string, most: number): Promise<HeldItem[]> {
  const { rows } = await client.query<HeldItem>(
    `select h.id, h.task, coalesce(h.run_at, h.held_at) as "runAt", h.payload, w.name as about
     from held_work h
     left join lateral (select workspace_id from events where id = (h.payload ->> 'eventId')::uuid limit 1) e on true
     left join messages m on m.id = (h.payload ->> 'messageId')::uuid
     left join pending_replies p on p.id = (h.payload ->> 'pendingReplyId')::uuid
     left join workspaces w on w.id = coalesce(
       e.workspace_id, m.workspace_id, p.workspace_id, (h.payload ->> 'workspaceId')::uuid)
     where h.task = $1 order by h.id limit $2`,
    [task, most],
  );
  return rows;
}

/**
 * Returns held work to the workers, in one transaction: each piece runs once, also when two operators release it. Work that is obsolete
 * changes nothing, such as a message that a teammate has sent again, or an event of a conversation that is spam now.
 * @param which names of tasks, and ids of single pieces; all work when both are empty
 * @returns the number of released pieces
 * @throws UserError for a name of nothing
 */
export async function releaseHeld(client: Client, which: string[]): Promise<number> {
  return inTransaction(client, async () => {
    const count = await take(client, which);
    for (const statement of RELEASE) await client.query(statement);
    await client.query(
      `select pg_notify('${WORK_CHANNEL}', 'hooks'), pg_notify('${WORK_CHANNEL}', 'events')`,
    );
    return count;
  });
}

/**
 * Drops held work. Its deliveries stay cancelled and its messages failed, so teammates can send them again.
 * @returns the number of dropped pieces
 */
export async function dropHeld(client: Client, which: string[]): Promise<number> {
  return inTransaction(client, () => take(client, which));
}

/** Moves held work to the temporary table `taken`. Parallel calls share it: each row is moved once. */
async function take(client: Client, which: string[]): Promise<number> {
  const ids = which.filter((each) => /^\d{1,18}$/.test(each));
  const tasks = which.filter((each) => !ids.includes(each));
  await client.query('create temporary table taken on commit drop as select * from held_work where false');
  const { rowCount } = await client.query(
    `with gone as (
       delete from held_work
       where cardinality($1::text[]) + cardinality($2::bigint[]) = 0 or task = any ($1) or id = any ($2) returning *
     )
     insert into taken select * from gone`,
    [tasks, ids],
  );
  await requireTaken(client, which);
  return rowCount ?? 0;
}

/** @throws UserError for a name that is neither that of a task nor of work that was taken, such as a misspelled one */
async function requireTaken(client: Client, which: string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) as names (name)
     where not exists (select from taken where task = name or id::text = name)`,
    [which.filter((name) => !Object.hasOwn(EFFECTS, name))],
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new UserError(
    `Nothing is held of ${names}, so nothing was changed. npm run restore -- held lists it.`,
  );
}

/** Statements on `taken`. The locks of hooks, conversations and the queue are taken in the order of their ids. */
const RELEASE = [
  // Events of conversations that became spam, deleted or purged are not sent (docs/rulings.md 3.34). The conversations are locked, so that
  // a removal either is seen here or cancels the deliveries.
  `with about as materialized (
     select t.id, e.conversation_id from taken t join events e on e.id = (t.payload ->> 'eventId')::uuid
     where t.task in ('deliver', 'fan-out') and e.conversation_id is not null
   ), locked as materialized (
     select id, removal, merged_into_id from conversations
     where id in (
       select conversation_id from about union
       select merged_into_id from conversations where id in (select conversation_id from about))
     order by id for share
   )
   delete from taken t using about a
   left join locked c on c.id = a.conversation_id left join locked m on m.id = c.merged_into_id
   where t.id = a.id and (c.id is null or c.removal is not null or m.removal is not null)`,
  // What was received gets its time again: the cleanup would remove it before it is processed, and an expired file cannot be linked.
  `with received as materialized (
     select id, received_at, case when channel = 'email' then external_id::uuid end as file_id from inbound_updates
     where processed_at is null and received_at < (select min(held_at) from taken)
       and (id in (select (payload ->> 'updateId')::uuid from taken)
         or account_id in (select (payload ->> 'accountId')::uuid from taken))
   ), kept as (
     update stored_files set expires_at = now() + interval '${RETENTION_DAYS} days'
     where id in (select file_id from received) and expires_at is not null
   )
   update inbound_updates u set received_at = u.received_at + (now() - newest.at)
   from received r, (select max(received_at) as at from received) newest where u.id = r.id`,
  `update messages set send_status = 'queued', delivery_error = null
   where send_status = 'failed' and delivery_error = not_sent_since_restore() and failure_dismissed_at is null
     and id in (select (payload ->> 'messageId')::uuid from taken where task in ('send-message', 'send-chat-message'))`,
  `update pending_replies set problem = null
   where problem = not_sent_since_restore()
     and id in (select (payload ->> 'pendingReplyId')::uuid from taken where task = 'send-pending-reply')`,
  `with again as (
     update deliveries d set ended_at = null, outcome = null, next_attempt_at = clock_timestamp()
     from taken t, hooks h
     where t.task = 'deliver' and d.event_id = (t.payload ->> 'eventId')::uuid and d.hook_id = (t.payload ->> 'hookId')::uuid
       and d.outcome = 'cancelled' and d.ended_at = t.held_at and h.id = d.hook_id and h.removed_at is null
     returning d.hook_id
   )
   insert into hook_queue (hook_id, due_at)
   select hook_id, clock_timestamp() from (select distinct hook_id from again) a order by hook_id
   on conflict (hook_id) do update set wakes = hook_queue.wakes + 1, due_at = least(hook_queue.due_at, excluded.due_at)`,
  `insert into events_to_fan_out (event_id)
   select distinct (t.payload ->> 'eventId')::uuid from taken t
   where t.task = 'fan-out' and exists (select from events e where e.id = (t.payload ->> 'eventId')::uuid)
   on conflict do nothing`,
  `insert into job_outbox (task, payload, run_at, job_key, queue_name)
   select task, payload, run_at, job_key, queue_name from taken
   where task not in (${['deliver', 'fan-out', ...HELD_TASKS].map((task) => `'${task}'`).join(', ')}) order by id`,
];

async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
