import { lastOwnedBy } from '#server/administration/accounts/delete-account.ts';
import type { Db } from '#server/core/database/db.ts';
import type { AccountView } from '#server/screens/settings/teammates-views.ts';
import type { SignedIn } from '#server/teammates/signed-in.ts';

/** A teammate's own account, and what would end with it. */
export async function getAccount(
  db: Db,
  { user, workspaces }: Pick<SignedIn, 'user' | 'workspaces'>,
): Promise<AccountView> {
  const [connections, liveWorkflows, lastOwnerOf, members] = await Promise.all([
    db.connection.count({ where: { userId: user.id, endedAt: null } }),
    db.hook.count({ where: { removedAt: null, connection: { userId: user.id } } }),
    lastOwnedBy(db, user.id),
    db.member.findMany({ where: { userId: user.id }, select: { workspaceId: true, signature: true } }),
  ]);
  return {
    name: user.name,
    email: user.email,
    connections,
    liveWorkflows,
    workspaces: workspaces.map(({ id, name, role }) => ({
      id,
      name,
      role,
      signature: members.find(({ workspaceId }) => workspaceId === id)?.signature ?? null,
    })),
    lastOwnerOf,
  };
}
