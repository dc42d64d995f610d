import type { Db } from '#server/core/database/db.ts';
import { Refusal } from '#server/core/errors.ts';
import { digest } from '#server/core/secrets.ts';
import type { Role } from '#server/generated/prisma/enums.ts';

/** An invitation that can be accepted now. */
export type OpenInvitation = {
  id: string;
  workspaceId: string;
  workspaceName: string;
  email: string;
  role: Role;
  name: string | null;
  inviterName: string | null;
  expiresAt: Date;
};

type Row = OpenInvitation & { isAccepted: boolean; isWithdrawn: boolean; isOver: boolean };

const ASK = 'Ask the person who invited you for a new one.';
const UNKNOWN = `This link no longer works. A newer invitation may have replaced it. ${ASK}`;

/**
 * The invitation behind the token of a link. Time is the database's (expiry; decisions: OAuth, 11).
 * @throws Refusal that says why it cannot be accepted
 */
export async function findByToken(db: Db, token: string): Promise<OpenInvitation> {
  const [row] = await db.$queryRaw<Row[]>`
    select i.id, i.workspace_id as "workspaceId", w.name as "workspaceName", i.email, i.role::text as role, i.name,
      u.name as "inviterName", i.expires_at as "expiresAt", i.accepted_at is not null as "isAccepted",
      i.withdrawn_at is not null or w.deleted_at is not null as "isWithdrawn", i.expires_at <= now() as "isOver"
    from invitations i
    join workspaces w on w.id = i.workspace_id
    left join users u on u.id = i.invited_by_id and u.deleted_at is null
    where i.token_hash = ${digest(token)}`;
  if (!row) throw new Refusal('not_found', UNKNOWN);
  const { isAccepted, isWithdrawn, isOver, ...invitation } = row;
  const problem = problemOf({ isAccepted, isWithdrawn, isOver });
  if (problem) throw new Refusal('not_found', problem);
  return invitation;
}

function problemOf(row: Pick<Row, 'isAccepted' | 'isWithdrawn' | 'isOver'>): string | undefined {
  if (row.isAccepted) return 'This invitation was already accepted. Sign in with the address it was sent to.';
  if (row.isWithdrawn) return `This invitation was withdrawn. ${ASK}`;
  if (row.isOver) return `This invitation has expired: it was valid for seven days. ${ASK}`;
  return undefined;
}
