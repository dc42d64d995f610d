import { Prisma } from '#server/generated/prisma/client.ts';
import type { Change } from '#server/inbox/conversations/changes.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import type { Actor } from '#server/teammates/actor.ts';
import { isAway } from '#server/teammates/away.ts';

/** Delay in seconds, in which the AI agent can answer a contact. */
const DELAY_WITH_AGENT_SECONDS = 25;

/**
 * Returns the parts of a change that request an automatic assignment, if the team of the conversation assigns automatically and the
 * change requires it (docs/decisions/0036-automatic-assignment.md). A change that chooses an assignee withdraws the request.
 */
export function assignmentParts(
  conversation: LockedConversation,
  { actor, change }: { actor: Actor; change: Change },
): Record<string, Prisma.Sql> {
  const { id, workspaceId, aiAgentEnabled, aiAgentSilenced } = conversation;
  if (change.isAssigneeChosen)
    return {
      withdrawn: Prisma.sql`delete from waiting_assignments where conversation_id = ${id}::uuid`,
    };
  const { assignee, team } = { ...conversation.record, ...change.record };
  if (team === null || !requiresAssignee(conversation, change)) return {};
  const isAbsent = Prisma.sql`exists (
    select from members m
    where m.workspace_id = ${workspaceId}::uuid and m.user_id = ${assignee?.id ?? null}::uuid and ${isAway('m')})`;
  const mayAgentAnswer = aiAgentEnabled && !aiAgentSilenced && !('teammate' in actor);
  return requestParts(
    Prisma.sql`
      select ${id}::uuid as id, ${workspaceId}::uuid as workspace_id, ${team.id}::uuid as team_id
      where ${assignee === null ? Prisma.sql`true` : isAbsent}`,
    mayAgentAnswer ? { inSeconds: DELAY_WITH_AGENT_SECONDS, key: id } : undefined,
  );
}

/**
 * Returns whether the changed conversation needs an assignee: it came to its team or is open again, or its contact wrote while the
 * assignee is away, which the statement checks.
 */
export function requiresAssignee(conversation: LockedConversation, change: Change): boolean {
  const { columns } = change;
  const { status, assignee } = { ...conversation.record, ...change.record };
  const removal = columns.removal === undefined ? conversation.removal : columns.removal;
  const mergedIntoId = columns.mergedIntoId === undefined ? conversation.mergedIntoId : columns.mergedIntoId;
  if (status !== 'open' || removal !== null || mergedIntoId !== null || conversation.isTest) return false;
  const isOpenAgain = columns.status === 'open' || columns.removal === null || columns.mergedIntoId === null;
  return assignee === null
    ? isOpenAgain || typeof columns.teamId === 'string'
    : isOpenAgain || columns.lastInboundAt !== undefined;
}

/** Returns the SQL condition that a team, or no team, does not assign automatically. */
export function assignsNobody(teamId: string | null): Prisma.Sql {
  return Prisma.sql`not exists (select from teams t where t.id = ${teamId}::uuid and t.assignment <> 'off')`;
}

/**
 * Returns the statements that note which conversations wait for an automatic assignment, and queue the job of their teams. Does nothing
 * for teams that do not assign automatically.
 * @param conversations SQL of rows `id`, `workspace_id` and `team_id`
 * @param delay `key` distinguishes a delayed job from those that others wait for
 */
export function requestParts(
  conversations: Prisma.Sql,
  { inSeconds, key }: { inSeconds: number; key: string } = { inSeconds: 0, key: '' },
): Record<'requested' | 'assigning', Prisma.Sql> {
  return {
    requested: Prisma.sql`
      insert into waiting_assignments as w (conversation_id, workspace_id, team_id, due_at)
      select r.id, t.workspace_id, t.id, clock_timestamp() + make_interval(secs => ${inSeconds}::int)
      from (${conversations}) r
      join teams t on t.workspace_id = r.workspace_id and t.id = r.team_id
      where t.assignment <> 'off' and t.deleted_at is null
      on conflict (conversation_id) do update set team_id = excluded.team_id, due_at = excluded.due_at,
        unavailable_at = case when w.team_id = excluded.team_id then w.unavailable_at end
      returning team_id`,
    assigning: jobsOfRequested({ inSeconds, key }),
  };
}

/** Returns the statements that assign a conversation without further delay, because the AI agent does not answer this message, under a condition. */
export function endDelayParts(
  messageId: string,
  when: Prisma.Sql,
): Record<'requested' | 'assigning', Prisma.Sql> {
  return {
    requested: Prisma.sql`
      update waiting_assignments w set due_at = clock_timestamp() from messages m
      where m.id = ${messageId}::uuid and w.conversation_id = m.conversation_id and w.due_at > clock_timestamp() and ${when}
      returning w.team_id`,
    assigning: jobsOfRequested({ inSeconds: 0, key: '' }),
  };
}

function jobsOfRequested({ inSeconds, key }: { inSeconds: number; key: string }): Prisma.Sql {
  return Prisma.sql`
    insert into job_outbox (task, payload, run_at, job_key)
    select 'assign-waiting', json_build_object('teamId', team_id),
      case when ${inSeconds}::int > 0 then clock_timestamp() + make_interval(secs => ${inSeconds}::int) end,
      'assign-waiting:' || team_id || ${key}::text
    from (select distinct team_id from requested) r`;
}
