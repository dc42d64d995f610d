import type { EventKey } from '#server/contract/event-catalogue.ts';
import type { NewEvent } from '#server/contract/record-events.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import type { ClockChange } from '#server/inbox/conversations/sla-clocks.ts';
import type { TimelineContent } from '#server/inbox/conversations/timeline.ts';
import type { NewNotification } from '#server/teammates/add-notifications.ts';

/** An event about a conversation that still lacks the conversation itself, which is read when all is written. */
export type ConversationEvent = {
  [Key in Exclude<EventKey, 'contact.created'>]: Omit<Extract<NewEvent, { key: Key }>, 'payload'> & {
    details: Omit<Extract<NewEvent, { key: Key }>['payload'], 'conversation'>;
  };
}[Exclude<EventKey, 'contact.created'>];

/**
 * What a change does to a conversation. Each function that changes something returns one;
 * several are joined and written at once by `writeChange`, so that a call that changes four fields costs what one
 * costs.
 */
export type Change = {
  columns: Pick<
    Prisma.ConversationUncheckedUpdateManyInput,
    | 'status'
    | 'statusChangedAt'
    | 'resolvedAt'
    | 'priority'
    | 'assigneeId'
    | 'assignedAt'
    | 'teamId'
    | 'aiAgentSilenced'
    | 'lastMessageAt'
    | 'mergedIntoId'
    | 'contactId'
    | 'contactClaimed'
  >;
  entries: TimelineContent[];
  events: ConversationEvent[];
  notifications: NewNotification[];
  clocks: ClockChange[];
  /** Rows of its own: statements that hold to a condition, so that all of it is written or nothing. */
  rows?: ((when: Prisma.Sql) => Prisma.Sql)[];
  /** Tags that it adds, in their order. */
  addedTags?: string[];
};

/** A change that leaves everything as it is, or only what is given. */
export function changeOf(change: Partial<Change> = {}): Change {
  return { columns: {}, entries: [], events: [], notifications: [], clocks: [], ...change };
}

/** Several changes of one conversation as one, in the order given. */
export function joinChanges(changes: Change[]): Change {
  const rows = changes.flatMap((change) => change.rows ?? []);
  const addedTags = changes.flatMap((change) => change.addedTags ?? []);
  return {
    columns: Object.assign({}, ...changes.map(({ columns }) => columns)),
    entries: changes.flatMap(({ entries }) => entries),
    events: changes.flatMap(({ events }) => events),
    notifications: changes.flatMap(({ notifications }) => notifications),
    clocks: changes.flatMap(({ clocks }) => clocks),
    ...(rows.length > 0 ? { rows } : {}),
    ...(addedTags.length > 0 ? { addedTags } : {}),
  };
}
