import type { SqlDb } from '#server/core/database/sql.ts';
import { log } from '#server/core/log.ts';
import type { FlowContent } from '#server/inbox/flows/flow.ts';
import { readFlow } from '#server/inbox/flows/stored-flow.ts';

export type LoadedFlow = FlowContent & { id: string; name: string };

/** Loads the enabled flows of a workspace in the order in which they run. Skips and logs those that cannot be read. */
export async function loadFlows(tx: SqlDb, workspaceId: string): Promise<LoadedFlow[]> {
  const rows = await tx.$queryRaw<{ id: string; name: string; condition: unknown; actions: unknown }[]>`
    select id, name, condition, actions from flows where workspace_id = ${workspaceId}::uuid and enabled
    order by created_at, id`;
  return rows.flatMap(({ id, name, ...stored }) => {
    const content = readFlow(stored);
    if (!content) log().warn({ flowId: id }, 'flow.unreadable');
    return content ? [{ id, name, ...content }] : [];
  });
}
