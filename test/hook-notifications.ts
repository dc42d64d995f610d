import { randomUUID } from 'node:crypto';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction } from '#server/core/database/db.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { notifyManagers } from '#server/teammates/add-notifications.ts';
import type { HookNotification, ManagerNotification } from '#server/teammates/notification-content.ts';
import { addMember, makeUser, makeWorkspace } from '#test/factories.ts';

/** That a hook failed 25 times in a row; of a hook that has no record any more unless one is given. */
export function failingHook(hookId: string = randomUUID()): HookNotification {
  const since = '2026-11-21T14:05:00.000Z';
  return {
    kind: 'hook_failing',
    data: { hookId, event: 'conversation.created', count: 25, since, lastStatus: 500 },
  };
}

/** A workspace with a teammate of each of these roles, named after it. */
export async function makeTeam(roles: Role[]): Promise<{ workspaceId: string; teammates: Teammate[] }> {
  const { id: workspaceId } = await makeWorkspace();
  const teammates: Teammate[] = [];
  for (const role of roles) {
    const teammate = await makeUser(`Mx ${role}`);
    await addMember(workspaceId, teammate.id, role);
    teammates.push(teammate);
  }
  return { workspaceId, teammates };
}

/** Notifies the managers of a workspace. Returns the notifications, by email address of the reader. */
export async function makeManagerNotifications(
  workspaceId: string,
  content: ManagerNotification = failingHook(),
  now = new Date(),
) {
  await inTransaction((tx) => notifyManagers(tx, { workspaceId, content, now }));
  const rows = await db().notification.findMany({
    where: { workspaceId },
    include: { user: { select: { email: true } } },
    orderBy: { user: { email: 'asc' } },
  });
  return rows.map(({ user, ...row }) => ({ ...row, email: user.email }));
}
