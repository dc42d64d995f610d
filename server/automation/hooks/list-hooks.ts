import { explainRemoval } from '#server/automation/hooks/explain-removal.ts';
import type { HooksView } from '#server/automation/hooks/views.ts';
import { eventName } from '#server/contract/events/event-name.ts';
import type { Db } from '#server/ground/db.ts';

/** So many of those removed are told of, the newest. */
const REMOVED_SHOWN = 20;

const select = {
  id: true,
  event: true,
  status: true,
  tag: true,
  command: true,
  removedAt: true,
  removalReason: true,
  connection: { select: { teammateName: true, user: { select: { name: true } } } },
} as const;

/** The live workflows of a workspace, and those removed lately with the reason, newest first. */
export async function listHooks(
  db: Db,
  { workspaceId, platformName }: { workspaceId: string; platformName: string },
): Promise<HooksView> {
  const [live, removed] = await Promise.all([
    db.hook.findMany({
      where: { workspaceId, removedAt: null },
      select,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      relationLoadStrategy: 'join',
    }),
    db.hook.findMany({
      where: { workspaceId, removedAt: { not: null } },
      select,
      orderBy: [{ removedAt: 'desc' }, { id: 'desc' }],
      take: REMOVED_SHOWN,
      relationLoadStrategy: 'join',
    }),
  ]);
  return {
    live: live.map(hookName),
    removed: removed.flatMap((hook) => {
      const { removedAt, removalReason: reason } = hook;
      if (!removedAt || !reason) return [];
      const name = hookName(hook);
      const words = explainRemoval(reason, { platformName, teammateName: name.teammateName });
      return [{ ...name, removedAt, ...words }];
    }),
  };
}

type FoundHook = {
  id: string;
  event: string;
  status: string | null;
  tag: string | null;
  command: string | null;
  connection: { teammateName: string; user: { name: string } | null };
};

function hookName({ id, event, status, tag, command, connection }: FoundHook) {
  return {
    id,
    eventName: eventName(event),
    filter: status ?? tag ?? command,
    teammateName: connection.user?.name ?? connection.teammateName,
  };
}
