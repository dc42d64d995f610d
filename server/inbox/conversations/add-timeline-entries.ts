import type { Tx } from '#server/ground/db.ts';
import type { TimelineContent } from '#server/inbox/conversations/timeline-content.ts';
import { type Actor, actorColumns } from '#server/people/teammates/actor.ts';

/** Adds to a conversation's timeline who did what, in the order given and in the transaction of the change. */
export async function addTimelineEntries(
  tx: Tx,
  {
    actor,
    entries,
    now,
    ...at
  }: { workspaceId: string; conversationId: string; actor: Actor; entries: TimelineContent[]; now: Date },
): Promise<void> {
  if (entries.length === 0) return;
  const columns = { ...at, ...actorColumns(actor), createdAt: now };
  await tx.timelineEntry.createMany({ data: entries.map((entry) => ({ ...columns, ...entry })) });
}
