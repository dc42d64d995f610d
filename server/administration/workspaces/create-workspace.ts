import { openInvitation } from '#server/administration/invitations/invite-teammate.ts';
import { requireEmail } from '#server/contract/parse-email.ts';
import { parseName } from '#server/contract/parse-name.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';
import { digest, newSecret } from '#server/core/secrets.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';

/**
 * Result. `invited`: the owner has no account yet and creates it with the token. `renewed`: the workspace
 * already existed without a member, and this token replaces the earlier one. `joined`: the owner had an
 * account.
 */
export type CreatedWorkspace = { workspaceId: string } & (
  | { kind: 'invited' | 'renewed'; token: string; expiresAt: Date }
  | { kind: 'joined' }
);

/**
 * Creates a workspace with its owner, for an installation where no one can invite yet. It has no mailbox, as
 * email is only sent from a verified domain. A second call for the same name, while its owner has not joined,
 * only creates a new token.
 * @throws Refusal for an invalid name or address
 */
export async function createWorkspace(order: {
  name: string;
  plan: Plan;
  ownerEmail: string;
  ownerName?: string | undefined;
}): Promise<CreatedWorkspace> {
  const name = parseName(order.name, { field: 'name', label: 'workspace name' });
  const email = requireEmail(order.ownerEmail);
  const ownerName =
    order.ownerName === undefined
      ? null
      : parseName(order.ownerName, { field: 'ownerName', label: 'name of the owner' });
  return inTransaction(async (tx) => {
    // Serialized: two simultaneous calls would not see each other's workspace.
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended('create workspace', 0))`;
    const waiting = await findWaiting(tx, { name, email });
    if (waiting) {
      if (waiting.plan !== order.plan) throw invalid({ plan: [otherPlan(name, waiting.plan)] });
      await tx.invitation.updateMany({
        where: { workspaceId: waiting.id, email, acceptedAt: null, withdrawnAt: null },
        data: { withdrawnAt: new Date() },
      });
      return {
        kind: 'renewed',
        workspaceId: waiting.id,
        ...(await invite(tx, waiting.id, email, ownerName)),
      };
    }
    const { id: workspaceId } = await tx.workspace.create({
      data: { name, plan: order.plan },
      select: { id: true },
    });
    await addAuditEntry(tx, { workspaceId, kind: 'workspace_created', data: { name, plan: order.plan } });
    const user = await tx.user.findUnique({ where: { email }, select: { id: true } });
    if (!user) return { kind: 'invited', workspaceId, ...(await invite(tx, workspaceId, email, ownerName)) };
    await tx.member.create({
      data: { workspaceId, userId: user.id, role: 'owner' },
      select: { role: true },
    });
    return { kind: 'joined', workspaceId };
  });
}

function otherPlan(name: string, plan: Plan): string {
  return `The workspace ${name} has already been created for this owner, on the plan ${plan}. Use that plan or another name.`;
}

/** Finds a memberless workspace of this name with an open invitation for this owner. */
async function findWaiting(tx: Tx, { name, email }: { name: string; email: string }) {
  return tx.workspace.findFirst({
    where: {
      name,
      deletedAt: null,
      members: { none: {} },
      invitations: { some: { email, role: 'owner', acceptedAt: null, withdrawnAt: null } },
    },
    select: { id: true, plan: true },
    orderBy: { createdAt: 'desc' },
  });
}

async function invite(tx: Tx, workspaceId: string, email: string, name: string | null) {
  const token = newSecret();
  const { expiresAt } = await openInvitation(tx, {
    workspaceId,
    email,
    role: 'owner',
    name,
    tokenHash: digest(token),
    invitedById: null,
  });
  return { token, expiresAt };
}
