import type { Tx } from '#server/core/database/db.ts';

/**
 * Locks a workspace's row, so that those who count what it holds (slots, hooks) or end its connections follow one
 * another. `for no key update`: rows that refer to the workspace can be inserted meanwhile.
 */
export async function lockWorkspace(tx: Tx, id: string): Promise<void> {
  await tx.$executeRaw`select from workspaces where id = ${id}::uuid for no key update`;
}
