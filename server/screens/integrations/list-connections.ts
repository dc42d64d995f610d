import { validate as isUuid } from 'uuid';
import { eventName } from '#server/contract/event-catalogue.ts';
import type { Db } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { connectionHealth, listHookHealth } from '#server/screens/integrations/hook-health.ts';
import type { ConnectionView, HistoryPage, HookHealth } from '#server/screens/integrations/views.ts';
import { isAdmin } from '#server/teammates/roles.ts';

/** Of a hook that was made between the two queries. */
const UNKNOWN: HookHealth = { kind: 'quiet' };

type Asked = { workspaceId: string; cursor?: string | undefined };

/**
 * The active connections of a workspace with their live hooks and how deliveries to them go, newest first (spec.md §1,
 * connection management).
 * @param asked.cursor where the page before ended; one that was never given out begins at the newest
 */
export async function listConnections(db: Db, asked: Asked): Promise<HistoryPage<ConnectionView>> {
  const rows = await findConnections(db, asked);
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

/** The role of someone who is a member and neither owner nor admin. */
function demotedTo(user: { memberships: { role: Role }[] } | null): Role | null {
  const role = user?.memberships[0]?.role;
  return role && !isAdmin(role) ? role : null;
}

/** The rows of a page and one more. */
async function findConnections(db: Db, { workspaceId, cursor }: Asked) {
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

/** Connections of a page. */
export const PAGE_ITEMS = 20;

/**
 * Where a page of connections begins, for a query of those that `where` allows: behind the connection that ended the page
 * before, or at the first when the cursor is none of them.
 */
export async function pageFrom(db: Db, where: Prisma.ConnectionWhereInput, cursor: string | undefined) {
  const from = isUuid(cursor)
    ? await db.connection.findFirst({ where: { ...where, id: cursor ?? '' }, select: { id: true } })
    : null;
  return { ...(from ? { cursor: from, skip: 1 } : {}), take: PAGE_ITEMS + 1 };
}
