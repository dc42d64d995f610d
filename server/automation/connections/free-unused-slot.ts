import { PLATFORM_INTEGRATION } from '#server/automation/connections/slots.ts';
import type { Tx } from '#server/core/database/db.ts';

/** Frees the platform's slot when no connection of the workspace is active. The caller holds the workspace's lock. */
export async function freeUnusedSlot(tx: Tx, workspaceId: string): Promise<void> {
  await tx.integration.deleteMany({
    where: { workspaceId, kind: PLATFORM_INTEGRATION, connections: { none: { endedAt: null } } },
  });
}
