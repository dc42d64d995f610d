import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { processDue, type RunLimits } from '#server/core/jobs/process-due.ts';
import type { SlaKind } from '#server/generated/prisma/enums.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';
import { type LockedConversation, lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { isAway } from '#server/teammates/away.ts';
import { ADMIN_ROLES, WORKING_ROLES } from '#server/teammates/roles.ts';

type Due = { id: string; workspaceId: string; conversationId: string };

/**
 * Marks due SLA clocks as breached, adds a timeline entry and notifies the assignee or team. Locks the conversation
 * before its clock, the usual lock order. So a concurrent reply comes before or after the breach, and two workers
 * never breach the same clock.
 * @param limits of this run; the next run continues
 * @returns the number of breached clocks
 */
export async function breachClocks(limits?: Partial<RunLimits>): Promise<number> {
  return processDue('sla.not_breached', {
    find: findDue,
    work: breach,
    ...limits,
  });
}

/** Finds running clocks that are due by the database's time, from the partial index. */
function findDue(limit: number, after: string): Promise<Due[]> {
  return sql().$queryRaw<Due[]>`
    with due as materialized (
      select id, workspace_id as "workspaceId", conversation_id as "conversationId"
      from sla_clocks
      where stopped_at is null and paused_at is null and breached_at is null and due_at <= now()
    )
    select * from due where id > ${after}::uuid order by id limit ${limit}::int`;
}

async function breach({ id, workspaceId, conversationId }: Due): Promise<boolean> {
  return inTransaction(async (tx) => {
    const conversation = await lockConversation(tx, { workspaceId, id: conversationId });
    const limit = await markBreached(tx, id);
    if (!limit) return false;
    const now = new Date();
    const recipients = await findRecipients(tx, conversation);
    const change = changeOf({
      entries: [{ kind: 'sla_breached', data: { limit } }],
      notifications: recipients.map((userId) => ({ userId, kind: 'sla_breached', data: { limit } })),
    });
    await persistChange(tx, conversation, { actor: { kind: 'automatic' }, change, now });
    return true;
  });
}

/** Sets `breached_at` to the due time and returns the clock's kind; undefined if the clock no longer runs. */
async function markBreached(tx: Tx, id: string): Promise<SlaKind | undefined> {
  const [breached] = await tx.$queryRaw<{ kind: SlaKind }[]>`
    update sla_clocks set breached_at = due_at
    where id = ${id}::uuid and stopped_at is null and paused_at is null and breached_at is null
      and due_at <= now()
    returning kind`;
  return breached?.kind;
}

/**
 * Returns the ids of the users to notify: the assignee; without one, the team's members who can be assigned; without
 * those, the owners and admins. The others are also notified in place of an assignee who is away.
 */
async function findRecipients(
  tx: Tx,
  { workspaceId, record: { assignee, team } }: LockedConversation,
): Promise<string[]> {
  if (assignee && !(await isMemberAway(tx, { workspaceId, userId: assignee.id }))) return [assignee.id];
  const ofTeam = team
    ? await tx.member.findMany({
        where: { workspaceId, role: { in: [...WORKING_ROLES] }, teams: { some: { teamId: team.id } } },
        select: { userId: true },
      })
    : [];
  const recipients =
    ofTeam.length > 0
      ? ofTeam
      : await tx.member.findMany({
          where: { workspaceId, role: { in: [...ADMIN_ROLES] } },
          select: { userId: true },
        });
  return [...new Set([...(assignee ? [assignee.id] : []), ...recipients.map(({ userId }) => userId)])];
}

async function isMemberAway(
  tx: Tx,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`
    select from members m
    where m.workspace_id = ${workspaceId}::uuid and m.user_id = ${userId}::uuid and ${isAway('m')}`;
  return found.length > 0;
}
