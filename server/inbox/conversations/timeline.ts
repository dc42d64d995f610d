import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { SqlDb } from '#server/core/database/sql.ts';
import { truncateText } from '#server/core/text.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { ConversationStatus, Priority, Removal, SlaKind } from '#server/generated/prisma/enums.ts';
import { describeCause, type FlowCause, flowCause } from '#server/inbox/conversations/flow-cause.ts';
import { type Actor, actorColumns } from '#server/teammates/actor.ts';

const STATUS_REASONS = ['contact_wrote', 'other_wrote', 'answer_failed', 'stayed_solved'] as const;
const status = z.enum(ConversationStatus);
const priority = z.enum(Priority);

/** Why an automatic assignment chose a teammate. `insteadOf`: the assignee before, who was away. */
const turn = z.object({
  by: z.enum(['round_robin', 'least_busy']),
  teamName: z.string(),
  insteadOf: z.string().optional(),
});

export type AssignmentTurn = z.infer<typeof turn>;

/** The content of a timeline entry, by kind. */
export const timelineContent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum([
      'created',
      'snooze_cancelled',
      'snooze_ended',
      'contact_unlinked',
      'contact_set_undone',
      'agent_silenced',
      'agent_resumed',
      'marked_spam',
      'deleted',
      'anonymized',
    ]),
    data: z.object({}),
  }),
  z.object({
    kind: z.literal('assigned'),
    data: z.object({ assigneeId: z.uuid(), assigneeName: z.string(), turn: turn.optional() }),
  }),
  z.object({ kind: z.literal('nobody_available'), data: z.object({ teamName: z.string() }) }),
  z.object({ kind: z.literal('unassigned'), data: z.object({ assigneeName: z.string() }) }),
  z.object({
    kind: z.literal('status_changed'),
    data: z.object({ from: status, to: status, because: z.enum(STATUS_REASONS).optional() }),
  }),
  z.object({ kind: z.literal('priority_changed'), data: z.object({ from: priority, to: priority }) }),
  z.object({ kind: z.literal('team_set'), data: z.object({ teamId: z.uuid(), teamName: z.string() }) }),
  z.object({ kind: z.literal('team_removed'), data: z.object({ teamName: z.string() }) }),
  z.object({ kind: z.literal('tagged'), data: z.object({ tags: z.array(z.string()) }) }),
  z.object({ kind: z.literal('untagged'), data: z.object({ tags: z.array(z.string()) }) }),
  z.object({
    kind: z.literal('rated'),
    data: z.object({ score: z.int(), comment: z.string().nullable() }),
  }),
  z.object({ kind: z.literal('sla_breached'), data: z.object({ limit: z.enum(SlaKind) }) }),
  z.object({
    kind: z.literal('introduced'),
    data: z.object({ name: z.string().nullable(), email: z.string().nullable() }),
  }),
  z.object({ kind: z.literal('snoozed'), data: z.object({ until: z.iso.datetime() }) }),
  z.object({ kind: z.literal('contact_linked'), data: z.object({ contactName: z.string() }) }),
  z.object({ kind: z.literal('contact_set'), data: z.object({ email: z.string() }) }),
  z.object({ kind: z.literal('verification_sent'), data: z.object({ email: z.string() }) }),
  z.object({ kind: z.literal('address_verified'), data: z.object({ email: z.string() }) }),
  z.object({ kind: z.literal('reply_address_set'), data: z.object({ addresses: z.array(z.string()) }) }),
  // `followedIds`: the conversations that had been merged into this one. Entries from before merges could be undone have none.
  z.object({
    kind: z.literal('merged'),
    data: z.object({ intoId: z.uuid(), followedIds: z.array(z.uuid()).optional() }),
  }),
  z.object({ kind: z.literal('merge_undone'), data: z.object({ intoId: z.uuid() }) }),
  z.object({ kind: z.enum(['merged_here', 'merge_undone_here']), data: z.object({ fromId: z.uuid() }) }),
  z.object({
    kind: z.literal('delivery_reported'),
    data: z.object({ email: z.string(), state: z.enum(['delayed', 'relayed']) }),
  }),
  z.object({
    kind: z.literal('field_set'),
    data: z.object({ fieldName: z.string(), from: z.string().nullable(), to: z.string().nullable() }),
  }),
  z.object({
    kind: z.literal('flow_stopped'),
    data: z.object({ because: z.enum(['loop', 'too_often']) }),
  }),
  z.object({ kind: z.literal('restored'), data: z.object({ from: z.enum(Removal) }) }),
]);

/** Reasons of status changes that nobody made: a message arrived, an answer failed, the conversation stayed solved. */
export type StatusReason = (typeof STATUS_REASONS)[number];

export type TimelineContent = z.infer<typeof timelineContent>;

const OVERDUE: Record<SlaKind, string> = {
  first_response: 'the first response',
  resolution: 'the resolution',
};

/** Returns a predicate that follows the actor's name, for example "started this conversation". */
export function describeContent(content: TimelineContent): string {
  switch (content.kind) {
    case 'created':
      return 'started this conversation';
    case 'assigned':
      return `assigned this conversation to ${content.data.assigneeName}`;
    case 'nobody_available':
      return `found nobody in ${content.data.teamName} available`;
    case 'unassigned':
      return `unassigned this conversation from ${content.data.assigneeName}`;
    case 'status_changed':
      return `changed the status from ${content.data.from} to ${content.data.to}`;
    case 'priority_changed':
      return `changed the priority from ${content.data.from} to ${content.data.to}`;
    case 'team_set':
      return `moved this conversation to the team ${content.data.teamName}`;
    case 'team_removed':
      return `removed this conversation from the team ${content.data.teamName}`;
    case 'tagged':
      return `added the ${content.data.tags.length === 1 ? 'tag' : 'tags'} ${content.data.tags.join(', ')}`;
    case 'untagged':
      return `removed the ${content.data.tags.length === 1 ? 'tag' : 'tags'} ${content.data.tags.join(', ')}`;
    case 'field_set':
      return describeField(content.data);
    case 'rated':
      return `rated this conversation ${content.data.score} of 5`;
    case 'snoozed':
      return 'snoozed this conversation';
    case 'snooze_cancelled':
      return 'cancelled the snooze';
    case 'snooze_ended':
      return 'reopened this conversation';
    case 'agent_silenced':
      return 'turned off the AI agent for this conversation';
    case 'agent_resumed':
      return 'turned on the AI agent for this conversation again';
    case 'introduced':
      return describeIntroduction(content.data);
    case 'contact_linked':
      return `linked this conversation to ${content.data.contactName}`;
    case 'contact_unlinked':
      return 'undid the link of this conversation to another contact';
    case 'contact_set':
      return `changed the contact to ${content.data.email}`;
    case 'contact_set_undone':
      return 'undid the change of the contact';
    case 'verification_sent':
      return `sent a verification link to ${content.data.email}`;
    case 'address_verified':
      return `verified the email address ${content.data.email}`;
    case 'reply_address_set':
      return content.data.addresses.length === 0
        ? 'chose the contact’s own address for replies'
        : `chose ${content.data.addresses.join(', ')} for replies`;
    case 'sla_breached':
      return `noted that ${OVERDUE[content.data.limit]} is overdue`;
    case 'delivery_reported':
      return content.data.state === 'delayed'
        ? `noted that the email to ${content.data.email} is delayed, and that its mail server keeps trying`
        : `noted that the email to ${content.data.email} was passed on to another mail server`;
    case 'merged':
      return 'merged this conversation into another one';
    case 'merged_here':
      return 'merged another conversation into this one';
    case 'merge_undone':
      return 'undid the merge of this conversation into another one';
    case 'merge_undone_here':
      return 'undid the merge of another conversation into this one';
    case 'marked_spam':
      return 'marked this conversation as spam';
    case 'deleted':
      return 'deleted this conversation';
    case 'anonymized':
      return 'anonymized this conversation';
    case 'flow_stopped':
      return content.data.because === 'loop'
        ? 'stopped, because its own change would have started it again'
        : 'ran too often within an hour and no longer runs for this conversation';
    case 'restored':
      return content.data.from === 'spam'
        ? 'marked this conversation as not spam'
        : 'restored this conversation';
  }
}

/** Returns why a flow made the change of an entry, as a clause; null without a reason to show. */
export function reasonOfFlow(data: unknown): string | null {
  const stored = z.object({ cause: flowCause }).safeParse(data);
  return stored.success ? describeCause(stored.data.cause) : null;
}

/** Maximum characters of a value in a sentence. */
const VALUE_SHOWN = 60;

function describeField({
  fieldName,
  from,
  to,
}: {
  fieldName: string;
  from: string | null;
  to: string | null;
}): string {
  const shown = (value: string) => truncateText(value, VALUE_SHOWN, '…');
  if (to === null) return `cleared ${fieldName}${from === null ? '' : `, which was ${shown(from)}`}`;
  return from === null
    ? `set ${fieldName} to ${shown(to)}`
    : `changed ${fieldName} from ${shown(from)} to ${shown(to)}`;
}

function describeIntroduction({ name, email }: { name: string | null; email: string | null }): string {
  const address = email === null ? [] : [`the email address ${email}, which is not verified`];
  return `gave ${[...(name === null ? [] : [`the name ${name}`]), ...address].join(' and ')}`;
}

/** Returns the contact's words to quote below the entry, if any. */
export function quoteOf(content: TimelineContent): string | null {
  return content.kind === 'rated' ? content.data.comment : null;
}

type Entries = {
  workspaceId: string;
  conversationId: string;
  actor: Actor;
  entries: TimelineContent[];
  now: Date;
  /** What started the flow that made the change. */
  flowCause?: FlowCause | undefined;
};

/** Inserts timeline entries in the given order, in the transaction of the change. */
export async function addTimelineEntries(tx: SqlDb, entries: Entries): Promise<void> {
  const rows = timelineRows(entries);
  if (rows) await tx.$executeRaw(rows);
}

/** Returns the statement of `addTimelineEntries`, as part of a larger one; null without entries. */
export function timelineRows({
  workspaceId,
  conversationId,
  actor,
  entries,
  now,
  flowCause: cause,
}: Entries): Prisma.Sql | null {
  if (entries.length === 0) return null;
  const { actorKind, actorId, actorName, connectionId } = actorColumns(actor);
  // Ids increase, so entries with the same timestamp stay in order.
  const rows = JSON.stringify(
    entries.map(({ kind, data }) => ({ id: uuidv7(), kind, data: cause ? { ...data, cause } : data })),
  );
  return Prisma.sql`
    insert into timeline_entries
      (id, workspace_id, conversation_id, kind, actor_kind, actor_id, actor_name, connection_id, data, created_at)
    select e.id, ${workspaceId}::uuid, ${conversationId}::uuid, e.kind, ${actorKind}::actor_kind, ${actorId}::uuid,
      ${actorName}::text, ${connectionId}::uuid, e.data, ${now}::timestamptz
    from jsonb_to_recordset(${rows}::jsonb) as e (id uuid, kind text, data jsonb)`;
}

/**
 * Returns SQL that inserts the same entry into many conversations.
 * @param to SQL of rows whose `id` is that of a conversation: what follows `from`
 */
export function timelineRowsOfMany(
  {
    workspaceId,
    actor,
    entry,
    now,
  }: Omit<Entries, 'conversationId' | 'entries'> & { entry: TimelineContent },
  to: Prisma.Sql,
): Prisma.Sql {
  const { actorKind, actorId, actorName, connectionId } = actorColumns(actor);
  return Prisma.sql`
    insert into timeline_entries
      (id, workspace_id, conversation_id, kind, actor_kind, actor_id, actor_name, connection_id, data, created_at)
    select gen_random_uuid(), ${workspaceId}::uuid, id, ${entry.kind}, ${actorKind}::actor_kind, ${actorId}::uuid,
      ${actorName}, ${connectionId}::uuid, ${JSON.stringify(entry.data)}::jsonb, ${now}
    from ${to}`;
}
