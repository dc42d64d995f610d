import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '#server/core/database/db.ts';
import type { Role } from '#server/generated/prisma/enums.ts';

/** For how long an invitation can be accepted. */
export const INVITATION_DAYS = 7;

/**
 * Writes an invitation. The caller holds the workspace's lock and knows that no other one is open for the address.
 * @param given.email lowercase
 * @param given.tokenHash null: the mail that brings the token makes it
 */
export async function openInvitation(
  tx: Tx,
  given: {
    workspaceId: string;
    email: string;
    role: Role;
    name: string | null;
    tokenHash: Uint8Array | null;
    invitedById: string | null;
  },
): Promise<{ id: string; expiresAt: Date }> {
  const { workspaceId, email, role, name, tokenHash, invitedById } = given;
  const [row] = await tx.$queryRaw<{ id: string; expiresAt: Date }[]>`
    insert into invitations (id, workspace_id, email, role, name, token_hash, invited_by_id, expires_at)
    values (${uuidv7()}::uuid, ${workspaceId}::uuid, ${email}, ${role}::role, ${name}, ${tokenHash},
      ${invitedById}::uuid, now() + make_interval(days => ${INVITATION_DAYS}::int))
    returning id, expires_at as "expiresAt"`;
  if (!row) throw new Error('The invitation was not written.');
  return row;
}
