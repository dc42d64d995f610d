import type { Tx } from '#server/core/database/prisma.ts';
import { Refusal } from '#server/core/errors.ts';
import { lockWorkspace } from '#server/teammates/require-role.ts';

/** Returns whether a workspace is a test workspace, which nothing leaves. It is one from its creation on. */
export async function isTestWorkspace(tx: Pick<Tx, 'workspace'>, id: string): Promise<boolean> {
  const { testOfId } = await tx.workspace.findUniqueOrThrow({ where: { id }, select: { testOfId: true } });
  return testOfId !== null;
}

/** @throws Refusal with the sentence in a test workspace */
export async function refuseInTestWorkspace(
  tx: Pick<Tx, 'workspace'>,
  workspaceId: string,
  sentence: string,
): Promise<void> {
  if (await isTestWorkspace(tx, workspaceId)) throw new Refusal('forbidden', sentence);
}

/** Refusal of a connection to the world. A trigger refuses its rows as well. */
export const NO_CHANNELS_IN_TEST =
  'A test workspace has all channels without connecting them. Its messages end in the outbox.';

/**
 * Returns a workspace and its test workspace, if there is one, and locks that. The caller has locked the workspace, so that no
 * test workspace is created in the meantime. A test workspace has a later id, so workspaces are locked in the order of their ids.
 */
export async function withTestWorkspace(tx: Tx, id: string): Promise<string[]> {
  const test = await tx.workspace.findFirst({
    where: { testOfId: id, deletedAt: null },
    select: { id: true },
  });
  if (!test) return [id];
  await lockWorkspace(tx, test.id);
  return [id, test.id];
}
