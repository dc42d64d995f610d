import type { Db } from '#server/core/database/db.ts';

/** What distinguishes a hook from others of its event: its filter, and who connected it. */
export type HookNames = { filter: string | null; teammateName: string };

/** Finds them by hook; one that was removed so long ago that its record is gone has none. */
export async function findHookNames(db: Db, hookIds: string[]): Promise<Map<string, HookNames>> {
  if (hookIds.length === 0) return new Map();
  const hooks = await db.hook.findMany({
    where: { id: { in: hookIds } },
    select: {
      id: true,
      status: true,
      tag: true,
      command: true,
      connection: { select: { teammateName: true, user: { select: { name: true } } } },
    },
    relationLoadStrategy: 'join',
  });
  return new Map(
    hooks.map(({ id, status, tag, command, connection: { teammateName, user } }) => [
      id,
      { filter: status ?? tag ?? command, teammateName: user?.name ?? teammateName },
    ]),
  );
}
