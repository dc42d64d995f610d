import { v7 as uuidv7 } from 'uuid';
import { jobRow } from '#server/core/jobs/outbox.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Change } from '#server/inbox/conversations/changes.ts';
import type { FlowCause, MadeBy } from '#server/inbox/conversations/flow-cause.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import type { TimelineContent } from '#server/inbox/conversations/timeline.ts';
import type { Actor } from '#server/teammates/actor.ts';

/** Returns what a change did that can start flows. */
export function causesOf({
  record: { status },
  entries,
  flowCauses,
}: Pick<Change, 'record' | 'entries' | 'flowCauses'>): FlowCause[] {
  // A snooze changes the status, too, and has other entries.
  const ofStatus: FlowCause[] = status === undefined ? [] : [{ kind: 'status_changed', to: status }];
  return [...flowCauses, ...ofStatus, ...entries.flatMap(causesOfEntry)];
}

function causesOfEntry({ kind, data }: TimelineContent): FlowCause[] {
  switch (kind) {
    case 'priority_changed':
      return [{ kind, to: data.to }];
    case 'tagged':
      return [{ kind, tags: data.tags }];
    case 'team_set':
      return [{ kind, teamId: data.teamId, teamName: data.teamName }];
    case 'assigned':
      return [{ kind }];
    case 'sla_breached':
      return [{ kind: 'sla_missed', limit: data.limit }];
    default:
      return [];
  }
}

/**
 * Returns the rows of a change that may start flows: its causes, and the job that runs the flows after the commit. None in
 * workspaces without such flows. Changes of flows have none, because `runFlows` follows them in the same transaction.
 */
export function flowRows(
  { id, workspaceId, isTest, removal, flowTriggers }: LockedConversation,
  { actor, change, now }: { actor: Actor; change: Change; now: Date },
): Prisma.Sql[] {
  if (flowTriggers.length === 0 || actor.kind === 'flow' || isTest || removal !== null) return [];
  const causes = causesOf(change).filter(({ kind }) => flowTriggers.includes(kind));
  if (causes.length === 0) return [];
  const causeId = uuidv7();
  const byPerson =
    actor.kind === 'teammate' || change.flowCauses.some(({ kind }) => kind === 'message_received');
  const stored = causes.map((cause) => ({ ...cause, ...({ byPerson } satisfies MadeBy) }));
  return [
    Prisma.sql`
      insert into flow_causes (id, workspace_id, conversation_id, causes, created_at)
      values (${causeId}::uuid, ${workspaceId}::uuid, ${id}::uuid, ${JSON.stringify(stored)}::jsonb, ${now}::timestamptz)`,
    jobRow('run-flows', { causeId }),
  ];
}
