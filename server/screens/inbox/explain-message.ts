import { explainDelivery } from '#server/automation/deliveries/explain-delivery.ts';
import { contactLabel } from '#server/contacts/contact-label.ts';
import { contactOf } from '#server/contacts/contact-record.ts';
import { eventName } from '#server/contract/event-catalogue.ts';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { settings } from '#server/core/env.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { AttemptOutcome, DeliveryOutcome, Role } from '#server/generated/prisma/enums.ts';
import { type ContactBlock, contactBlocks } from '#server/inbox/blocked-senders/contact-blocks.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import { isReadableBy } from '#server/inbox/conversations/readable-conversations.ts';
import { type ArrivedMessage, arrivalSentences } from '#server/screens/inbox/arrival-sentences.ts';
import { blockedSteps } from '#server/screens/inbox/blocked-sentences.ts';
import { ACTORS, sendingOf, type ThreadContent, threadItem } from '#server/screens/inbox/thread-items.ts';
import type { StepView } from '#server/screens/inbox/thread-views.ts';

/** Maximum number of shown rows of each kind. */
const ROWS_MAX = 20;
/** Time in which a change records its events, in seconds. */
const EVENTS_WITHIN = 30;
/** Time in which an automatic assignment follows the message that required it, in seconds. */
const ASSIGNED_WITHIN = 60;

type Step = Omit<StepView, 'id'>;

type Entry = Extract<ThreadContent, { kind: 'entry' }>;
type Written = Extract<ThreadContent, { kind: 'message' }>;

type Found = ArrivedMessage &
  Pick<
    Written,
    'actorKind' | 'programName' | 'direction' | 'sendStatus' | 'deliveryError' | 'arrivalDoubtful'
  > & {
    createdAt: string;
    contact: Parameters<typeof contactLabel>[0] | null;
    sendStartedAt: string | null;
    deferrals: number;
    entries: (Omit<Entry, 'kind'> & { createdAt: string; isLater: boolean })[];
    notifications: { name: string; kind: string; emailedAt: string | null; createdAt: string }[];
    events: FoundEvent[];
    blocks: ContactBlock[];
  };

type FoundEvent = { key: string; createdAt: string; isQueued: boolean; deliveries: FoundDelivery[] };

type FoundDelivery = {
  receiver: string | null;
  outcome: DeliveryOutcome | null;
  attempts: number;
  nextAttemptAt: string | null;
  lastOutcome: AttemptOutcome | null;
  statusCode: number | null;
  at: string;
};

/**
 * Returns what happened with a message and because of it, in order: its checks, its conversation, rules, notifications, events and
 * what each receiver answered. Then why no further message arrives: its contact or its author is blocked now. Empty when there is no
 * such message. One round trip.
 */
export function explainMessage(
  db: ReadDb,
  which: { workspaceId: string; messageId: string; role: Role },
): Promise<StepView[]> {
  return runRead(db, statement(which), ([found]: Found[]) =>
    (found ? stepsOf(found, which.role) : []).map((step, id) => ({ id, ...step })),
  );
}

/**
 * What a change writes has its timestamp. Ids of events are UUIDv7, so that a range of them is a time of few partitions.
 */
function statement({
  workspaceId,
  messageId,
  role,
}: {
  workspaceId: string;
  messageId: string;
  role: Role;
}): Prisma.Sql {
  const delivery = Prisma.sql`
    select coalesce(json_agg(json_build_object('receiver', case when h.connection_id is null then h.target_url end, 'outcome', d.outcome, 'attempts', d.attempts,
        'nextAttemptAt', d.next_attempt_at, 'lastOutcome', a.outcome, 'statusCode', a.status_code,
        'at', coalesce(a.started_at + make_interval(secs => a.duration_ms / 1000.0), d.created_at)) order by d.created_at, d.id), '[]')
    from (select * from deliveries d where d.event_id = e.id order by d.created_at, d.id limit ${ROWS_MAX}::int) d
    join hooks h on h.id = d.hook_id
    left join attempts a on a.event_id = d.event_id and a.delivery_id = d.id and a.number = d.attempts`;
  return Prisma.sql`
    select m.created_at as "createdAt", c.channel, ${contactOf('k')} as contact, m.author_kind as "actorKind", m.author_name as "actorName",
      m.program_name as "programName", m.author_address as "authorAddress", m.direction, m.send_status as "sendStatus",
      m.delivery_error as "deliveryError", m.arrival_doubtful as "arrivalDoubtful", m.automatic, m.forbids_answers as "forbidsAnswers",
      m.original_file_id is not null or m.thread_reason is not null as "isMail", m.sender_verified as "senderVerified",
      m.sender_checks as "senderChecks", m.agent_decision as "agentDecision",
      m.thread_reason as "threadReason", m.send_started_at as "sendStartedAt", m.deferrals, m.created_at = c.created_at as "isNew",
      (select coalesce(json_agg(json_build_object('id', t.id, 'actorKind', t.actor_kind, 'actorName', t.actor_name, 'actorId', t.actor_id,
          'entryKind', t.kind, 'data', t.data, 'createdAt', t.created_at, 'isLater', t.created_at > m.created_at) order by t.created_at, t.id), '[]')
        from (select * from timeline_entries where conversation_id = m.conversation_id and created_at >= m.created_at
            and created_at <= m.created_at + make_interval(secs => case when m.direction = 'inbound' then ${ASSIGNED_WITHIN}::int else 0 end)
            and (created_at = m.created_at or kind = 'nobody_available' or kind = 'assigned' and data -> 'turn' is not null
              or data -> 'cause' ->> 'messageId' = m.id::text)
          order by created_at, id limit ${ROWS_MAX}::int) t) as entries,
      (select coalesce(json_agg(json_build_object('name', u.name, 'kind', n.kind, 'emailedAt', n.emailed_at, 'createdAt', n.created_at)
          order by n.created_at, n.id), '[]')
        from (select * from notifications n where n.conversation_id = m.conversation_id
            and (n.created_at = m.created_at or n.data->>'messageId' = m.id::text
              or n.kind = 'new_conversation' and m.direction = 'inbound' and n.created_at > m.created_at and not exists (
                select from messages r
                where r.conversation_id = m.conversation_id and r.direction = 'outbound' and r.send_status is distinct from 'failed'
                  and r.created_at between m.created_at and n.created_at))
          order by n.created_at, n.id limit ${ROWS_MAX}::int) n
        join users u on u.id = n.user_id) as notifications,
      (select coalesce(json_agg(json_build_object('key', e.key, 'createdAt', e.created_at, 'deliveries', (${delivery}),
          'isQueued', exists (select from events_to_fan_out q where q.event_id = e.id)) order by e.id), '[]')
        from (select * from events e
          where e.id >= ${idAt(Prisma.sql`m.created_at - interval '1 second'`)}
            and e.id < ${idAt(Prisma.sql`m.created_at + make_interval(secs => ${EVENTS_WITHIN}::int)`)}
            and e.workspace_id = m.workspace_id and e.conversation_id = m.conversation_id
            and (e.body::json->>'occurred_at')::timestamptz = date_trunc('milliseconds', m.created_at)
          order by e.id limit ${ROWS_MAX}::int) e) as events,
      ${contactBlocks(Prisma.sql`m.author_address`)} as blocks
    from messages m
    join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
    left join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id
    where m.workspace_id = ${workspaceId}::uuid and m.id = ${messageId}::uuid and ${isReadableBy({ role })}`;
}

/** Returns SQL for the least UUIDv7 of a time. */
function idAt(time: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`;
}

function stepsOf(found: Found, role: Role): Step[] {
  const at = new Date(found.createdAt);
  const contactName = found.contact && contactLabel(found.contact);
  const changed = (entry: Found['entries'][number]): Step => {
    const createdAt = new Date(entry.createdAt);
    const row = { ...entry, kind: 'entry' as const, mergedFromId: null, createdAt };
    const item = threadItem(row, { contactName, others: new Map() });
    return { at: createdAt, sentence: `${'sentence' in item ? item.sentence : ''}.`, tone: 'plain' };
  };
  const steps: Step[] = [
    ...(found.direction === 'inbound' ? arrivalSentences(found, contactName) : sending(found)).map(
      (sentence): Step => ({ at, sentence, tone: 'plain' }),
    ),
    ...outcomeOf(found),
    ...found.entries.filter(({ isLater }) => !isLater).map(changed),
    ...found.notifications.map(notified),
    ...found.events.flatMap(recorded),
  ];
  const isQuiet = found.direction === 'inbound' && !found.automatic;
  if (isQuiet && found.notifications.length === 0)
    steps.push({ at, sentence: 'It notified no teammate.', tone: 'plain' });
  if (found.events.length === 0) steps.push({ at, sentence: noEvents(at), tone: 'plain' });
  // An automatic assignment, which followed in a change of its own.
  steps.push(...found.entries.filter(({ isLater }) => isLater).map(changed));
  steps.push(...found.blocks.flatMap((block) => blockedSteps(block, role)));
  return steps;
}

/** Returns the sentences about who wrote a message of the team. */
function sending({ actorKind, actorName, programName, channel, direction }: Found): string[] {
  const author = actorName ?? programName ?? ACTORS[actorKind] ?? 'Someone';
  const via = actorKind === 'workflow' ? ` through ${settings().PLATFORM_NAME}` : '';
  const what = direction === 'forward' ? 'Forwarded' : 'Written';
  return [`${what} by ${author}${via}, to be sent ${CHANNEL_NAMES[channel].phrase}.`];
}

/** Returns the steps of handing a message of the team to the provider. */
function outcomeOf(found: Found): Step[] {
  const { sendStartedAt, createdAt, deferrals } = found;
  const at = new Date(sendStartedAt ?? createdAt);
  const state = sendingOf(found);
  return [
    ...(deferrals > 0
      ? [{ at, sentence: `The receiving server put it off ${times(deferrals)}.`, tone: 'waiting' as const }]
      : []),
    ...(state ? [{ at, sentence: SENDING[state.state] ?? state.sentence, tone: TONES[state.state] }] : []),
  ];
}

type SendingState = NonNullable<ReturnType<typeof sendingOf>>['state'];

const SENDING: Partial<Record<SendingState, string>> = {
  on_its_way: 'It is being sent.',
  sent: 'The channel accepted it, and reported no failure since.',
};

const TONES: Record<SendingState, Step['tone']> = {
  on_its_way: 'waiting',
  sent: 'good',
  doubtful: 'waiting',
  held: 'bad',
  failed: 'bad',
};

function notified({ name, kind, emailedAt, createdAt }: Found['notifications'][number]): Step {
  const why = NOTIFIED[kind];
  const by = emailedAt === null ? '' : ', also by email';
  return {
    at: new Date(createdAt),
    sentence: `Notified ${name}${by}${why ? `: ${why}` : ''}.`,
    tone: 'plain',
  };
}

const NOTIFIED: Record<string, string> = {
  contact_wrote: 'the conversation is assigned to them',
  assigned: 'the conversation was assigned to them',
  assignee_away: 'the assignee is away',
  new_conversation: 'nobody was assigned to the conversation',
  team_conversation: 'the conversation is new in their team',
  message_failed: 'the message was not sent',
  reply_not_sent: 'the reply was not sent',
};

/** Returns the steps of an event: that it was recorded, and each receiver’s answer. */
function recorded({ key, createdAt, isQueued, deliveries }: FoundEvent): Step[] {
  const name = `“${eventName(key)}”`;
  const nobody = isQueued ? 'which is being handed to workflows' : 'which no workflow or webhook listens to';
  const sentence =
    deliveries.length > 0 ? `Recorded the event ${name}.` : `Recorded the event ${name}, ${nobody}.`;
  return [
    { at: new Date(createdAt), sentence, tone: 'plain' },
    ...deliveries.map((delivery) => delivered(delivery, name)),
  ];
}

function delivered(delivery: FoundDelivery, event: string): Step {
  const { receiver, outcome, attempts, nextAttemptAt, lastOutcome, statusCode } = delivery;
  const platformName = settings().PLATFORM_NAME;
  const to = receiver === null ? platformName : hostOf(receiver);
  const at = new Date(delivery.at);
  const last = lastOutcome === null ? null : { outcome: lastOutcome, statusCode };
  const why = explainDelivery({ outcome, attempts, last }, to);
  if (outcome === 'delivered')
    return { at, sentence: `${to} accepted ${event}${statusCode ? ` (${statusCode})` : ''}.`, tone: 'good' };
  if (outcome === 'cancelled')
    return { at, sentence: `${event} was not sent to ${to}: ${why}.`, tone: 'plain' };
  if (outcome !== null) return { at, sentence: `${to} did not get ${event}: ${why}.`, tone: 'bad' };
  if (last === null) return { at, sentence: `${event} is about to be sent to ${to}.`, tone: 'waiting' };
  const until = nextAttemptAt === null ? {} : { until: new Date(nextAttemptAt) };
  return { at, sentence: `${to} did not accept ${event} yet: ${why}.`, tone: 'waiting', ...until };
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}

function noEvents(at: Date): string {
  const days = settings().HISTORY_DAYS;
  const isOld = at.getTime() < Date.now() - days * 86_400_000;
  return isOld
    ? `Events, and the answers of workflows, are kept for ${days} days.`
    : 'No event was recorded for workflows or programs.';
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
