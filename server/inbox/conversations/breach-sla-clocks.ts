import { pool } from '#server/core/database/pools.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { processDue, type RunLimits } from '#server/core/jobs/process-due.ts';
import type { SlaKind } from '#server/generated/prisma/enums.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';
import { type LockedConversation, lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { ADMIN_ROLES, WORKING_ROLES } from '#server/teammates/roles.ts';

type Due = { id: string; workspaceId: string; conversationId: string };

/** Clocks that run and are due, by the partial index of those, and by the database's clock. */
const FIND = `
  with due as materialized (
    select id, workspace_id as "workspaceId", conversation_id as "conversationId"
    from sla_clocks
    where stopped_at is null and paused_at is null and breached_at is null and due_at <= now()
  )
  select * from due where id > $2 order by id limit $1`;

/**
 * Breaches the SLA clocks that ran out while no one responded or solved: the timeline says so, and the assignee or team
 * is notified. The conversation is locked before its clock, as everywhere, so that a reply at the same
 * moment comes before or after it, and two workers breach none twice.
 * @param some how much of it is done now; the rest is done the next time
 * @returns how many were breached
 */
export async function breachClocks(some?: Partial<RunLimits>): Promise<number> {
  return processDue('sla.not_breached', {
    find: async (limit, after) => (await pool().query<Due>(FIND, [limit, after])).rows,
    work: breach,
    ...some,
  });
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

/** Marks a clock as breached when it was due, and returns of what; undefined when it does not run any more. */
async function markBreached(tx: Tx, id: string): Promise<SlaKind | undefined> {
  const [breached] = await tx.$queryRaw<{ kind: SlaKind }[]>`
    update sla_clocks set breached_at = due_at
    where id = ${id}::uuid and stopped_at is null and paused_at is null and breached_at is null
      and due_at <= now()
    returning kind`;
  return breached?.kind;
}

/**
 * Who is notified that a conversation is overdue: its assignee; of one that is no one's those of its team who can take
 * conversations; where there are none, the owners and admins.
 * @returns ids of users
 */
async function findRecipients(
  tx: Tx,
  { workspaceId, record: { assignee, team } }: LockedConversation,
): Promise<string[]> {
  if (assignee) return [assignee.id];
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
  return recipients.map(({ userId }) => userId);
}
