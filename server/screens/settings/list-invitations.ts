import { rolesToInvite } from '#server/administration/members/role-rules.ts';
import type { Db } from '#server/core/database/db.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import type { InvitationRow } from '#server/screens/settings/invitations-views.ts';

/** The invitations of a workspace that are open or have run out, newest first, as someone of a role sees them. */
export async function listInvitations(
  db: Db,
  { workspaceId, role }: { workspaceId: string; role: Role },
): Promise<InvitationRow[]> {
  const rows = await db.$queryRaw<Omit<InvitationRow, 'mayChange'>[]>`
    select i.id, i.email, i.role::text as role, u.name as "invitedBy", i.expires_at as "expiresAt",
      i.expires_at <= now() as "isOver", i.mailed_at as "mailedAt"
    from invitations i
    left join users u on u.id = i.invited_by_id and u.deleted_at is null
    where i.workspace_id = ${workspaceId}::uuid and i.accepted_at is null and i.withdrawn_at is null
    order by i.created_at desc, i.id desc`;
  return rows.map((row) => ({ ...row, mayChange: rolesToInvite(role).includes(row.role) }));
}
