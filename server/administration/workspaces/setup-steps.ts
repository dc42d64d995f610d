import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { asManager } from '#server/teammates/require-role.ts';
import { isAdmin } from '#server/teammates/roles.ts';
import type { MemberWorkspace } from '#server/teammates/signed-in.ts';

const STEPS = ['email', 'teammates', 'chat', 'reply', 'platform'] as const;

/** A first step of a new workspace, and whether somebody has taken it. */
export type SetupStep = { step: (typeof STEPS)[number]; done: boolean };

/**
 * Returns the first steps that a role can take. Null when it can take none, all are taken, or the checklist has ended. One
 * statement, none once it has ended. When all are taken, the checklist ends for everyone.
 */
export async function getSetup({ id, role, inSetup }: MemberWorkspace): Promise<SetupStep[] | null> {
  if (!inSetup || role === 'viewer') return null;
  const [taken] = await sql().$queryRaw<Record<SetupStep['step'], boolean>[]>`
    select
      exists (select from mailboxes m where m.workspace_id = w.id and m.last_received_at is not null) as email,
      exists (select from members m where m.workspace_id = w.id offset 1)
        or exists (select from invitations i
          where i.workspace_id = w.id and i.invited_by_id is not null and i.withdrawn_at is null) as teammates,
      exists (select from conversations c where c.workspace_id = w.id and c.channel = 'webchat'
          and c.merged_into_id is null and not c.is_test and c.removal is null)
        or exists (select from channel_accounts a
          where a.workspace_id = w.id and a.channel <> 'email' and a.deleted_at is null) as chat,
      -- Among the newest conversations only, so that it costs little however many there are.
      exists (
        select from (
          select c.id from conversations c
          where c.workspace_id = w.id and c.merged_into_id is null and not c.is_test and c.removal is null
          order by c.created_at desc, c.id desc limit 100) newest
        join messages s on s.conversation_id = newest.id and s.author_kind = 'teammate') as reply,
      exists (select from connections n where n.workspace_id = w.id and n.exchanged_at is not null) as platform
    from workspaces w where w.id = ${id}::uuid and w.setup_ended_at is null`;
  if (!taken) return null;
  const steps = STEPS.map((step): SetupStep => ({ step, done: taken[step] }));
  if (steps.every(({ done }) => done)) {
    await db().workspace.updateMany({
      where: { id, setupEndedAt: null },
      data: { setupEndedAt: new Date() },
    });
    return null;
  }
  if (isAdmin(role)) return steps;
  const own = steps.filter(({ step }) => step === 'reply');
  return own.every(({ done }) => done) ? null : own;
}

/**
 * Ends the checklist of a workspace for everyone.
 * @throws Refusal unless `by` is owner or admin
 */
export async function dismissSetup(input: { workspaceId: string; by: Teammate }): Promise<void> {
  await asManager(input, async (tx) => {
    const where = { id: input.workspaceId, setupEndedAt: null };
    await tx.workspace.updateMany({ where, data: { setupEndedAt: new Date() } });
  });
}
