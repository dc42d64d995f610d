import type { Db } from '#server/db.ts';
import { PLANS } from '#server/teammates/plans.ts';

/** A workspace's mailbox, and whether mail may leave from it. */
export type DefaultMailbox = { id: string; address: string; name: string; canSend: boolean };

/**
 * The mailbox that a workspace writes from, or null when it has none. Mail leaves only when the plan includes
 * it and the mailbox stands on a verified domain (spec.md §1, who may connect, 4).
 */
export async function defaultMailbox(db: Db, workspaceId: string): Promise<DefaultMailbox | null> {
  const mailbox = await db.mailbox.findFirst({
    where: { workspaceId, isDefault: true },
    select: {
      id: true,
      address: true,
      name: true,
      workspace: { select: { plan: true } },
      emailDomain: { select: { verifiedAt: true } },
    },
    relationLoadStrategy: 'join',
  });
  if (!mailbox) return null;
  const { id, address, name, workspace, emailDomain } = mailbox;
  return {
    id,
    address,
    name,
    canSend: PLANS[workspace.plan].emailSending && emailDomain?.verifiedAt != null,
  };
}
