import { Prisma } from '#server/generated/prisma/client.ts';
import { afterCommit, type Tx } from '#server/ground/db.ts';
import { publish } from '#server/ground/publish/publish.ts';
import { timelineRows } from '#server/inbox/conversations/add-timeline-entries.ts';
import type { Change } from '#server/inbox/conversations/change.ts';
import { changeClocks, clockStatement } from '#server/inbox/sla/change-clocks.ts';
import { notificationRows } from '#server/people/notify/add-notifications.ts';
import type { Actor } from '#server/people/teammates/actor.ts';

type Columns = Change['columns'];

/** The columns that a change may set, with their types. */
const COLUMNS = {
  status: 'status = $::conversation_status',
  statusChangedAt: 'status_changed_at = $::timestamptz',
  resolvedAt: 'resolved_at = $::timestamptz',
  priority: 'priority = $::priority',
  assigneeId: 'assignee_id = $::uuid',
  assignedAt: 'assigned_at = $::timestamptz',
  teamId: 'team_id = $::uuid',
  aiAgentSilenced: 'ai_agent_silenced = $::boolean',
  lastMessageAt: 'last_message_at = $::timestamptz',
  mergedIntoId: 'merged_into_id = $::uuid',
  contactId: 'contact_id = $::uuid',
  contactClaimed: 'contact_claimed = $::boolean',
} as const satisfies Record<keyof Columns, string>;

/**
 * Writes the rows of a change in one round trip: the conversation's columns with `updated_at`, its timeline, time limits and
 * notifications.
 */
export async function writeChangeRows(
  tx: Tx,
  at: { workspaceId: string; conversationId: string },
  { actor, change, now }: { actor: Actor; change: Change; now: Date },
): Promise<void> {
  const given = { ...at, actor, now };
  // A second change of the clocks may be of the same row, which one statement writes once.
  const [clock, ...clocks] = change.clocks;
  const notified = notificationRows({ ...given, notifications: change.notifications });
  const others = [
    timelineRows({ ...given, entries: change.entries }),
    notified,
    clock ? clockStatement(clock, { conversationId: at.conversationId, now }) : null,
  ];
  const written = others.flatMap((part, n) =>
    part ? [Prisma.sql`${Prisma.raw(`part${n}`)} as (${part})`] : [],
  );
  const columns = columnsStatement(at.conversationId, { columns: change.columns, now });
  await tx.$executeRaw(written.length === 0 ? columns : Prisma.sql`with ${Prisma.join(written)} ${columns}`);
  for (const another of clocks) {
    await changeClocks(tx, { conversationId: at.conversationId, clock: another, now });
  }
  if (notified) afterCommit(tx, () => publish(at.workspaceId, 'notifications'));
}

function columnsStatement(
  conversationId: string,
  { columns, now }: { columns: Columns; now: Date },
): Prisma.Sql {
  const set = Object.entries(columns).map(([key, value]) => {
    const [before = '', after = ''] = COLUMNS[key as keyof Columns].split('$');
    return Prisma.sql`${Prisma.raw(before)}${value}${Prisma.raw(after)}, `;
  });
  return Prisma.sql`
    update conversations set ${set.length === 0 ? Prisma.empty : Prisma.join(set, '')}updated_at = ${now}::timestamptz
    where id = ${conversationId}::uuid`;
}
