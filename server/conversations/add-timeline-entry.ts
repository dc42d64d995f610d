import type { Tx } from '#server/db.ts';
import { type Actor, actorColumns } from '#server/teammates/actor.ts';

/** What a timeline entry tells, by kind, and what it needs to tell it. */
export type TimelineEntryData = {
  created: Record<string, never>;
  assigned: { assigneeId: string; assigneeName: string };
};

export type TimelineKind = keyof TimelineEntryData;

/** Adds to a conversation's timeline who did what, in the transaction of the change. */
export async function addTimelineEntry<Kind extends TimelineKind>(
  tx: Tx,
  entry: {
    workspaceId: string;
    conversationId: string;
    kind: Kind;
    actor: Actor;
    data: TimelineEntryData[Kind];
  },
): Promise<void> {
  const { actor, ...columns } = entry;
  await tx.timelineEntry.create({ data: { ...columns, ...actorColumns(actor) }, select: { id: true } });
}
