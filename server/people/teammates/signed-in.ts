import type { Teammate } from '#server/contract/records/record-schemas.ts';
import type { Plan, Role } from '#server/generated/prisma/enums.ts';
import { db } from '#server/ground/db.ts';
import { auth } from '#server/people/teammates/auth.ts';

/** A workspace as one of its members sees it. */
export type MemberWorkspace = { id: string; name: string; plan: Plan; role: Role };

/** Who is signed in, with the workspace open in this session and all they are a member of, by name. */
export type SignedIn = {
  sessionId: string;
  user: Teammate;
  workspace: MemberWorkspace | null;
  workspaces: MemberWorkspace[];
};

/** Reads the session behind a request's cookies; null when nobody is signed in. */
export async function findSignedIn(headers: Headers): Promise<SignedIn | null> {
  const found = await auth().api.getSession({ headers });
  if (!found) return null;
  const { session, user } = found;
  const memberships = await db().member.findMany({
    where: { userId: user.id, workspace: { deletedAt: null } },
    select: { role: true, workspace: { select: { id: true, name: true, plan: true } } },
    orderBy: [{ workspace: { name: 'asc' } }, { workspaceId: 'asc' }],
    relationLoadStrategy: 'join',
  });
  const workspaces = memberships.map(({ role, workspace }) => ({ ...workspace, role }));
  return {
    sessionId: session.id,
    user: { id: user.id, name: user.name, email: user.email },
    // A teammate who left the open workspace since has another opened.
    workspace: workspaces.find(({ id }) => id === session.workspaceId) ?? workspaces[0] ?? null,
    workspaces,
  };
}
