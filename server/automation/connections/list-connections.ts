import type { ConnectionView } from '#server/automation/connections/views.ts';
import { connectionHealth } from '#server/automation/hooks/hook-health.ts';
import { listHookHealth } from '#server/automation/hooks/list-hook-health.ts';
import type { HookHealth } from '#server/automation/hooks/views.ts';
import { eventName } from '#server/contract/events/event-name.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import type { Db } from '#server/ground/db.ts';
import { isManaging } from '#server/people/teammates/roles.ts';

/** Of a hook that was made between the two queries. */
const UNKNOWN: HookHealth = { kind: 'quiet' };

/**
 * The active connections of a workspace with their live hooks and how deliveries to them go, newest first (spec.md §1,
 * connection management).
 */
export async function listConnections(db: Db, workspaceId: string): Promise<ConnectionView[]> {
  const [health, connections] = await Promise.all([
    listHookHealth(db, workspaceId),
    findConnections(db, workspaceId),
  ]);
  return connections.map(({ hooks, user, ...connection }) => {
    const commandHooks = hooks.filter(({ event }) => event === 'operator.command');
    const shownHooks = hooks.map(({ id, event, status, tag, command, createdAt }) => ({
      id,
      event,
      eventName: eventName(event),
      filter: status ?? tag ?? command,
      health: health.get(id) ?? UNKNOWN,
      createdAt,
    }));
    return {
      id: connection.id,
      teammate: user
        ? { name: user.name, email: user.email }
        : { name: connection.teammateName, email: connection.teammateEmail },
      createdAt: connection.createdAt,
      lastUsedAt: connection.lastUsedAt,
      waiting: connection.exchangedAt === null,
      demotedTo: demotedTo(user),
      liveWorkflows: hooks.length,
      commands: [...new Set(commandHooks.flatMap(({ command }) => command ?? []))].sort(),
      listensForEveryCommand: commandHooks.some(({ command }) => command === null),
      health: connectionHealth(shownHooks.map((hook) => hook.health)),
      hooks: shownHooks,
    };
  });
}

/** The role of somebody who is a member and neither owner nor admin. */
function demotedTo(user: { memberships: { role: Role }[] } | null): Role | null {
  const role = user?.memberships[0]?.role;
  return role && !isManaging(role) ? role : null;
}

function findConnections(db: Db, workspaceId: string) {
  return db.connection.findMany({
    where: { workspaceId, endedAt: null },
    select: {
      id: true,
      teammateName: true,
      teammateEmail: true,
      user: {
        select: { name: true, email: true, memberships: { where: { workspaceId }, select: { role: true } } },
      },
      createdAt: true,
      lastUsedAt: true,
      exchangedAt: true,
      hooks: {
        where: { removedAt: null },
        select: { id: true, event: true, status: true, tag: true, command: true, createdAt: true },
        orderBy: { createdAt: 'desc' },
      },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    relationLoadStrategy: 'join',
  });
}
