import { explainRemoval } from '#server/automation/hooks/explain-removal.ts';
import { eventName } from '#server/contract/event-catalogue.ts';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { HookRemoval } from '#server/generated/prisma/enums.ts';
import type { HooksView } from '#server/screens/integrations/views.ts';

/** Maximum number of removed workflows shown, newest first. */
const REMOVED_SHOWN = 20;

/**
 * Returns a workspace's live workflows and its recently removed ones with the reason, newest first. One round
 * trip.
 */
export function listHooks(
  db: ReadDb,
  { workspaceId, platformName }: { workspaceId: string; platformName: string },
): Promise<HooksView> {
  return runRead(db, statement(workspaceId), (hooks: FoundHook[]) => ({
    live: hooks.filter(({ removedAt }) => removedAt === null).map(hookName),
    removed: hooks.flatMap((hook) => {
      const { removedAt, removalReason: reason } = hook;
      if (!removedAt || !reason) return [];
      const name = hookName(hook);
      const words = explainRemoval(reason, { platformName, teammateName: name.teammateName });
      return [{ ...name, removedAt: new Date(removedAt), ...words }];
    }),
  }));
}

function statement(workspaceId: string): Prisma.Sql {
  return Prisma.sql`
    select h.id, h.event, coalesce(h.status::text, h.tag, h.command) as filter, h.removed_at as "removedAt",
      h.removal_reason as "removalReason", coalesce(u.name, c.teammate_name) as "teammateName"
    from (
      (select * from hooks where workspace_id = ${workspaceId}::uuid and removed_at is null)
      union all
      (select * from hooks where workspace_id = ${workspaceId}::uuid and removed_at is not null and connection_id is not null
        order by removed_at desc, id desc limit ${REMOVED_SHOWN}::int)
    ) h
    join connections c on c.id = h.connection_id
    left join users u on u.id = c.user_id
    order by h.removed_at desc, case when h.removed_at is null then h.created_at end desc, h.id desc`;
}

type FoundHook = {
  id: string;
  event: string;
  filter: string | null;
  removedAt: string | null;
  removalReason: HookRemoval | null;
  teammateName: string;
};

function hookName({ id, event, filter, teammateName }: FoundHook) {
  return { id, eventName: eventName(event), filter, teammateName };
}
