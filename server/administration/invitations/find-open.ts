import { validate as isUuid } from 'uuid';
import type { Tx } from '#server/core/database/db.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import type { Role } from '#server/generated/prisma/enums.ts';

/**
 * An invitation of a workspace that was neither accepted nor withdrawn; it may have run out. The caller holds the
 * workspace's lock, under which all of that changes.
 * @throws Refusal when there is none, or it is not open any more
 */
export async function findOpen(
  tx: Tx,
  { workspaceId, invitationId: id }: { workspaceId: string; invitationId: string },
): Promise<{ email: string; role: Role }> {
  const found = isUuid(id)
    ? await tx.invitation.findFirst({
        where: { id, workspaceId },
        select: { email: true, role: true, acceptedAt: true, withdrawnAt: true },
      })
    : null;
  if (!found) throw notFound('The invitation');
  const { email, role, acceptedAt, withdrawnAt } = found;
  if (acceptedAt) throw invalid({ invitation: [`${email} has already accepted this invitation.`] });
  if (withdrawnAt) throw invalid({ invitation: [`The invitation for ${email} was already withdrawn.`] });
  return { email, role };
}
