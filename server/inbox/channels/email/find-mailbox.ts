import type { Db } from '#server/ground/db.ts';
import { PLANS } from '#server/people/teammates/plans.ts';

/** A mailbox of a workspace, and whether mail may leave from it. */
export type Mailbox = { id: string; canSend: boolean };

/**
 * The mailbox that a conversation is answered from, or the workspace's default one when it has none of its own;
 * null when there is neither. Mail leaves only when the plan includes it and the mailbox stands on a verified
 * domain (spec.md §1, who may connect, 4).
 */
export async function findMailbox(
  db: Db,
  { workspaceId, mailboxId }: { workspaceId: string; mailboxId: string | null },
): Promise<Mailbox | null> {
  const mailbox = await db.mailbox.findFirst({
    where: { workspaceId, ...(mailboxId ? { id: mailboxId } : { isDefault: true }) },
    select: {
      id: true,
      workspace: { select: { plan: true } },
      emailDomain: { select: { verifiedAt: true } },
    },
    relationLoadStrategy: 'join',
  });
  if (!mailbox) return null;
  const { id, workspace, emailDomain } = mailbox;
  return { id, canSend: PLANS[workspace.plan].emailSending && emailDomain?.verifiedAt != null };
}
