import { NIL } from 'uuid';
import { filterKey, type HookFilter } from '#server/automation/hooks/subscribe-hook.ts';
import {
  newestContacts,
  newestConversations,
  newestOccurrences,
  type Occurrence,
} from '#server/automation/samples/newest-occurrences.ts';
import type { EventKey, EventPayloads } from '#server/contract/event-catalogue.ts';
import { type EventBody, eventBody } from '#server/contract/record-events.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { messageRecord, messageSelect } from '#server/inbox/messages/add-received-message.ts';
import { ratingRecord } from '#server/inbox/ratings/rate-conversation.ts';

type Query = { workspaceId: string; filter: HookFilter };

/** Queries for the samples of each event (docs/rulings.md 5.10). */
const QUERIES: { [Key in EventKey]: (query: Query) => Promise<Occurrence<EventPayloads[Key]>[]> } = {
  'conversation.created': ({ workspaceId }) =>
    newestConversations({ workspaceId, by: 'created_at', payload: (conversation) => ({ conversation }) }),

  'conversation.status_changed': ({ workspaceId, filter }) =>
    newestConversations({
      workspaceId,
      by: 'status_changed_at',
      status: filter.status,
      payload: (conversation) => ({ conversation, previous_status: null }),
    }),

  'conversation.assigned': ({ workspaceId }) =>
    newestConversations({
      workspaceId,
      by: 'assigned_at',
      payload: (conversation) => ({ conversation, previous_assignee: null }),
    }),

  'conversation.tagged': ({ workspaceId, filter }) =>
    newestOccurrences({
      workspaceId,
      event: 'conversation.tagged',
      filter: filterKey(filter),
      find: (where) =>
        db().tagging.findMany({
          where,
          select: { id: true, tags: { select: { name: true }, orderBy: { position: 'asc' } } },
          relationLoadStrategy: 'join',
        }),
      payload: (conversation, { tags }) => ({ conversation, added_tags: tags.map(({ name }) => name) }),
    }),

  'conversation.rated': ({ workspaceId }) =>
    newestOccurrences({
      workspaceId,
      event: 'conversation.rated',
      find: (where) => db().rating.findMany({ where, select: { id: true, score: true, comment: true } }),
      payload: (conversation, rating) => ({ conversation, rating: ratingRecord(rating) }),
    }),

  'message.received': ({ workspaceId }) =>
    newestOccurrences({
      workspaceId,
      event: 'message.received',
      find: (where) => db().message.findMany({ where, select: messageSelect }),
      payload: (conversation, message) => ({ conversation, message: messageRecord(message) }),
    }),

  'contact.created': ({ workspaceId }) => newestContacts(workspaceId),

  'operator.command': ({ workspaceId, filter }) =>
    newestOccurrences({
      workspaceId,
      event: 'operator.command',
      filter: filterKey(filter),
      find: (where) =>
        db().commandRun.findMany({
          where,
          select: { id: true, command: true, arguments: true, ...operatorSelect },
          relationLoadStrategy: 'join',
        }),
      payload: (conversation, run) => ({
        conversation,
        command: run.command,
        arguments: run.arguments,
        operator: operatorOf(run),
      }),
    }),
};

/**
 * Returns up to three recent events of a workspace in the format of a delivery, newest first (docs/spec.md
 * §4.2, GET samples). One sample per conversation (`contact.created`: per contact). The `id` contains the
 * record's id, so that repeated requests return the same samples.
 */
export async function listSamples<Key extends EventKey>({
  event: key,
  ...query
}: Query & { event: Key }): Promise<EventBody<Key>[]> {
  const occurrences = await QUERIES[key](query);
  return occurrences.map(({ occurredAt, payload }) =>
    eventBody({ id: `${key}:${recordOf(payload).id}`, key, occurredAt, payload }),
  );
}

function recordOf(payload: EventPayloads[EventKey]): { id: string } {
  return 'contact' in payload ? payload.contact : payload.conversation;
}

export const operatorSelect = {
  operator: { select: { id: true, name: true, email: true, deletedAt: true } },
  operatorName: true,
  operatorEmail: true,
} satisfies Prisma.CommandRunSelect;

type SelectedOperator = Prisma.CommandRunGetPayload<{ select: typeof operatorSelect }>;

/**
 * Returns the teammate who ran a command, with current data. A deleted teammate has the stored name and
 * address, and the nil UUID (RFC 9562 §5.9), as the contract requires an id.
 */
export function operatorOf({ operator, operatorName, operatorEmail }: SelectedOperator): Teammate {
  if (operator && !operator.deletedAt) return { id: operator.id, name: operator.name, email: operator.email };
  return { id: NIL, name: operatorName, email: operatorEmail };
}
