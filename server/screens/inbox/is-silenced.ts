import { ask, type ReadDb, read } from '#server/core/database/reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** Whether the AI agent stays out of a conversation; null: the workspace has it off, or has no such conversation. */
export function isSilenced(
  db: ReadDb,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<boolean | null> {
  const statement = Prisma.sql`
    select c.ai_agent_silenced as silenced from conversations c join workspaces w on w.id = c.workspace_id
    where c.workspace_id = ${workspaceId}::uuid and c.id = ${id}::uuid and c.merged_into_id is null
      and not c.is_test and w.ai_agent_enabled`;
  return ask(
    db,
    read(statement, ([found]: { silenced: boolean }[]) => found?.silenced ?? null),
  );
}
