import { validate as isUuid } from 'uuid';
import { eventName } from '#server/contract/event-catalogue.ts';
import type { Db } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { connectionHealth, listHookHealth } from '#server/screens/integrations/hook-health.ts';
import type { ConnectionView, HistoryPage, HookHealth } from '#server/screens/integrations/views.ts';
import { isAdmin } from '#server/teammates/roles.ts';

/** Health of a hook that was created between the two queries. */
const UNKNOWN: HookHealth = { kind: 'quiet' };

type PageRequest = { workspaceId: string; cursor?: string | undefined };

/**
 * Returns a page of a workspace's active connections with their live hooks and the hooks' health, newest
 * first (docs/spec.md §1, connection management).
 * @param request.cursor an invalid cursor starts at the newest
 */
export async function listConnections(db: Db, request: PageRequest): Promise<HistoryPage<ConnectionView>> {
  const rows = await findConnections(db, request);
  const page = rows.slice(0, PAGE_ITEMS);
  const ids = page.map(({ id }) => id);
  const health = await listHookHealth(db, ids);
  const items = page.map(({ hooks, user, ...connection }) => {
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
  return { items, older: rows.length > PAGE_ITEMS ? (ids.at(-1) ?? null) : null };
}

/** Returns the role of a member who is neither owner nor admin, otherwise null. */
function demotedTo(user: { memberships: { role: Role }[] } | null): Role | null {
  const role = user?.memberships[0]?.role;
  return role && !isAdmin(role) ? role : null;
}

/** Returns the rows of a page and one more. */
async function findConnections(db: Db, { workspaceId, cursor }: PageRequest) {
  const where = { workspaceId, endedAt: null };
  return db.connection.findMany({
    where,
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
    ...(await pageFrom(db, where, cursor)),
    relationLoadStrategy: 'join',
  });
}

export const PAGE_ITEMS = 20;

/**
 * Returns the Prisma arguments of a page of connections. A cursor that does not match `where` starts at the
 * first connection.
 */
export async function pageFrom(db: Db, where: Prisma.ConnectionWhereInput, cursor: string | undefined) {
  const from = isUuid(cursor)
    ? await db.connection.findFirst({ where: { ...where, id: cursor ?? '' }, select: { id: true } })
    : null;
  return { ...(from ? { cursor: from, skip: 1 } : {}), take: PAGE_ITEMS + 1 };
}
