import { openInvitation } from '#server/administration/invitations/invite-teammate.ts';
import { requireEmail } from '#server/contract/parse-email.ts';
import { parseName } from '#server/contract/parse-name.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';
import { digest, newSecret } from '#server/core/secrets.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';

/**
 * How it was created. `invited`: the owner has no account yet, and makes one with the token; `renewed`: the
 * workspace was there already and no one had come, and this token takes the place of the earlier one.
 * `joined`: they had one.
 */
export type CreatedWorkspace = { workspaceId: string } & (
  | { kind: 'invited' | 'renewed'; token: string; expiresAt: Date }
  | { kind: 'joined' }
);

/**
 * Creates a workspace with its owner: the way in where no one can invite yet. It begins without a mailbox, as mail
 * leaves only from a verified domain. Done again for a workspace of that name whose owner has not come yet, it makes
 * only a new token.
 * @throws Refusal for a name or address that is none
 */
export async function createWorkspace(given: {
  name: string;
  plan: Plan;
  ownerEmail: string;
  ownerName?: string | undefined;
}): Promise<CreatedWorkspace> {
  const name = parseName(given.name, { field: 'name', label: 'workspace name' });
  const email = requireEmail(given.ownerEmail);
  const ownerName =
    given.ownerName === undefined
      ? null
      : parseName(given.ownerName, { field: 'ownerName', label: 'name of the owner' });
  return inTransaction(async (tx) => {
    // Two of these at once would not see each other's workspace.
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended('create workspace', 0))`;
    const waiting = await findWaiting(tx, { name, email });
    if (waiting) {
      if (waiting.plan !== given.plan) throw invalid({ plan: [otherPlan(name, waiting.plan)] });
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
      data: { name, plan: given.plan },
      select: { id: true },
    });
    await addAuditEntry(tx, { workspaceId, kind: 'workspace_created', data: { name, plan: given.plan } });
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
  return `The workspace ${name} already waits for this owner, on the plan ${plan}. Name that plan, or another workspace.`;
}

/** A workspace of this name that waits for this very owner: no one is in it. */
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
