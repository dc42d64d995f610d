import type { TimelineContent } from '#server/conversations/timeline-content.ts';
import type { Tx } from '#server/db.ts';
import { type Actor, actorColumns } from '#server/teammates/actor.ts';

/** Adds to a conversation's timeline who did what, in the transaction of the change. */
export async function addTimelineEntry(
  tx: Tx,
  entry: { workspaceId: string; conversationId: string; actor: Actor } & TimelineContent,
): Promise<void> {
  const { actor, ...columns } = entry;
  await tx.timelineEntry.create({ data: { ...columns, ...actorColumns(actor) }, select: { id: true } });
}
