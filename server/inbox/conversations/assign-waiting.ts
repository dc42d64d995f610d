import { NIL } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { type SqlDb, sql } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { assign, changeOf, joinChanges } from '#server/inbox/conversations/changes.ts';
import { type LockedConversation, lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import {
  type AutomaticAssignment,
  findNextAssignee,
  lockAssigningTeam,
} from '#server/inbox/conversations/next-assignee.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { absentAssigneeRows } from '#server/teammates/absent-assignee.ts';
import { isAway } from '#server/teammates/away.ts';

/** Conversations that are read together, and the time after which the rest is left to another job, in ms. */
const BATCH = 100;
const RUN_MS = 10_000;
/** Interval in seconds at which a team whose members were not available is tried again. */
const AGAIN_SECONDS = 60;

const ACTOR = { kind: 'automatic' } as const;

type Waiting = { workspaceId: string; conversationId: string; isUnavailable: boolean };
type Outcome = 'assigned' | 'not_needed' | 'nobody_available';

/**
 * Assigns the waiting conversations of a team to its available members, the oldest first, each in a transaction. While nobody is
 * available, another job tries again each minute: when someone is back, became a member or has fewer open conversations.
 */
export async function assignWaiting(teamId: string): Promise<void> {
  const endsAt = performance.now() + RUN_MS;
  let isAvailable = true;
  for (let after: string = NIL, found = BATCH; found === BATCH; ) {
    const waiting = await findDue(teamId, { after, isAvailable });
    found = waiting.length;
    for (const each of waiting) {
      if (performance.now() > endsAt) return queueAgain(teamId, 1);
      after = each.conversationId;
      if (!isAvailable && each.isUnavailable) continue;
      isAvailable = (await assignSafely(teamId, each)) !== 'nobody_available' && isAvailable;
    }
  }
  const [left] = await findDue(teamId, { after: NIL, isAvailable: true, limit: 1 });
  if (left) await queueAgain(teamId, AGAIN_SECONDS);
}

/** @param range.isAvailable false leaves out those whose timeline says already that nobody is available */
function findDue(
  teamId: string,
  { after, isAvailable, limit = BATCH }: { after: string; isAvailable: boolean; limit?: number },
): Promise<Waiting[]> {
  return sql().$queryRaw<Waiting[]>`
    select workspace_id as "workspaceId", conversation_id as "conversationId", unavailable_at is not null as "isUnavailable"
    from waiting_assignments
    where team_id = ${teamId}::uuid and conversation_id > ${after}::uuid and due_at <= clock_timestamp()
      and (${isAvailable}::boolean or unavailable_at is null)
    order by conversation_id limit ${limit}::int`;
}

function queueAgain(teamId: string, inSeconds: number): Promise<void> {
  const options = { inSeconds, key: `assign-waiting:${teamId}:again` };
  return sqlTransaction((tx) => queueJob(tx, 'assign-waiting', { teamId }, options));
}

/** A conversation that fails is tried again with the next job, and does not delay others. */
async function assignSafely(teamId: string, waiting: Waiting): Promise<Outcome | undefined> {
  try {
    return await assignNext(teamId, waiting);
  } catch (error) {
    log().warn({ err: error, conversationId: waiting.conversationId }, 'assignment.failed');
    return undefined;
  }
}

/**
 * Assigns a conversation to the next member of its team. The lock on the team makes parallel jobs wait for each other, so that each
 * chooses after the assignment of the one before. Locks the team, then the member, then the conversation. Emits
 * `conversation.assigned` with the actor `automatic`.
 */
function assignNext(teamId: string, { workspaceId, conversationId: id }: Waiting): Promise<Outcome> {
  return sqlTransaction(async (tx) => {
    const team = await lockAssigningTeam(tx, { workspaceId, teamId });
    const assignee = team ? await findNextAssignee(tx, team) : null;
    const conversation = await lockConversation(tx, { workspaceId, id });
    const state = await readState(tx, conversation, teamId);
    if (!state) return 'not_needed';
    if (!team || !isToAssign(conversation, state, teamId)) return withdraw(tx, id);
    return assignee
      ? assignTo(tx, conversation, { team, assignee })
      : noteNobody(tx, conversation, { team, isFirst: !state.isUnavailable });
  });
}

/** `isAbsent`: the assignee is away. */
type State = { isUnavailable: boolean; isAbsent: boolean };

/** Reads the state of a locked conversation; undefined if it does not wait for the team any more. */
async function readState(
  tx: SqlDb,
  { id, workspaceId, record: { assignee } }: LockedConversation,
  teamId: string,
): Promise<State | undefined> {
  const [state] = await tx.$queryRaw<State[]>`
    select w.unavailable_at is not null as "isUnavailable", m.user_id is not null as "isAbsent"
    from waiting_assignments w
    left join members m on m.workspace_id = ${workspaceId}::uuid and m.user_id = ${assignee?.id ?? null}::uuid and ${isAway('m')}
    where w.conversation_id = ${id}::uuid and w.team_id = ${teamId}::uuid`;
  return state;
}

function isToAssign(conversation: LockedConversation, { isAbsent }: State, teamId: string): boolean {
  const { record, removal, mergedIntoId, isTest } = conversation;
  if (record.status !== 'open' || removal !== null || mergedIntoId !== null || isTest) return false;
  return record.team?.id === teamId && (record.assignee === null || isAbsent);
}

async function withdraw(tx: SqlDb, conversationId: string): Promise<Outcome> {
  await tx.$executeRaw`delete from waiting_assignments where conversation_id = ${conversationId}::uuid`;
  return 'not_needed';
}

async function assignTo(
  tx: SqlDb,
  conversation: LockedConversation,
  { team, assignee }: { team: AutomaticAssignment; assignee: Teammate },
): Promise<Outcome> {
  const now = new Date();
  const { record } = conversation;
  const turn = {
    by: team.assignment,
    teamName: team.name,
    ...(record.assignee ? { insteadOf: record.assignee.name } : {}),
  };
  const change = joinChanges([
    assign(record, { assignee, actor: ACTOR, now, turn }),
    changeOf({
      rows: [
        Prisma.sql`update team_members set last_assigned_at = clock_timestamp()
          where team_id = ${team.id}::uuid and user_id = ${assignee.id}::uuid`,
      ],
    }),
  ]);
  await persistChange(tx, conversation, { actor: ACTOR, change, now });
  return 'assigned';
}

/** Leaves a conversation as it is. Its timeline says so once, and if the assignee is away, others are notified. */
async function noteNobody(
  tx: SqlDb,
  conversation: LockedConversation,
  { team, isFirst }: { team: AutomaticAssignment; isFirst: boolean },
): Promise<Outcome> {
  if (!isFirst) return 'nobody_available';
  const now = new Date();
  const { id, workspaceId, record } = conversation;
  const rows = [
    Prisma.sql`update waiting_assignments set unavailable_at = ${now}::timestamptz where conversation_id = ${id}::uuid`,
  ];
  if (record.assignee) {
    const absent = { workspaceId, conversationId: id, assigneeId: record.assignee.id, teamId: team.id, now };
    rows.push(absentAssigneeRows(absent));
    afterCommit(tx, () => publish(workspaceId, 'notifications'));
  }
  const entries = [{ kind: 'nobody_available' as const, data: { teamName: team.name } }];
  await persistChange(tx, conversation, { actor: ACTOR, change: changeOf({ entries, rows }), now });
  return 'nobody_available';
}
