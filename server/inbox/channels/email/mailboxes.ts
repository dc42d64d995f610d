import type { Db } from '#server/core/database/db.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import { PLANS } from '#server/teammates/plans.ts';

/** A mailbox of a workspace, and whether mail may leave from it. */
export type Mailbox = { id: string; canSend: boolean };

/**
 * The mailbox that a conversation is answered from, or the workspace's default one when it has none of its own;
 * null when there is neither. Mail leaves only when the plan includes it and the mailbox is on a verified
 * domain (spec.md §1, who may connect, 4).
 */
export async function findMailbox(
  db: Db,
  { workspaceId, mailboxId }: { workspaceId: string; mailboxId: string | null },
): Promise<Mailbox | null> {
  const [mailbox] = await db.$queryRaw<MailboxRow[]>(mailboxOf({ workspaceId, mailboxId }));
  return mailbox ? judgedMailbox(mailbox) : null;
}

/** A row of `mailboxOf`. */
export type MailboxRow = { id: string; plan: Plan; isVerified: boolean };

/** SQL of a mailbox and what decides whether mail may leave from it. */
export function mailboxOf({
  workspaceId,
  mailboxId,
}: {
  workspaceId: string;
  mailboxId: string | null;
}): Prisma.Sql {
  return Prisma.sql`
    select m.id, w.plan, d.verified_at is not null as "isVerified"
    from mailboxes m
    join workspaces w on w.id = m.workspace_id
    left join email_domains d on d.workspace_id = m.workspace_id and d.id = m.email_domain_id
    where m.workspace_id = ${workspaceId}::uuid
      and case when ${mailboxId}::uuid is null then m.is_default else m.id = ${mailboxId}::uuid end
    limit 1`;
}

export function judgedMailbox({ id, plan, isVerified }: MailboxRow): Mailbox {
  return { id, canSend: PLANS[plan].emailSending && isVerified };
}
