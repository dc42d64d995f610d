import type { ConnectionView } from '#server/connections/views.ts';
import type { Db } from '#server/db.ts';
import { EVENTS, isEventKey } from '#server/events/catalogue.ts';

/** The active connections of a workspace with their live hooks, newest first (spec.md §1, connection management). */
export async function listConnections(db: Db, workspaceId: string): Promise<ConnectionView[]> {
  const connections = await db.connection.findMany({
    where: { workspaceId, endedAt: null },
    select: {
      id: true,
      teammateName: true,
      teammateEmail: true,
      user: { select: { name: true, email: true } },
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
  return connections.map(({ hooks, user, ...connection }) => {
    const commandHooks = hooks.filter(({ event }) => event === 'operator.command');
    return {
      id: connection.id,
      teammate: user ?? { name: connection.teammateName, email: connection.teammateEmail },
      createdAt: connection.createdAt,
      lastUsedAt: connection.lastUsedAt,
      waiting: connection.exchangedAt === null,
      liveWorkflows: hooks.length,
      commands: [...new Set(commandHooks.flatMap(({ command }) => command ?? []))].sort(),
      listensForEveryCommand: commandHooks.some(({ command }) => command === null),
      hooks: hooks.map(({ id, event, status, tag, command, createdAt }) => ({
        id,
        event,
        eventName: isEventKey(event) ? EVENTS[event].name : event,
        filter: status ?? tag ?? command,
        createdAt,
      })),
    };
  });
}
