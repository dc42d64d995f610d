import type { Tx } from '#server/core/database/prisma.ts';

/**
 * Serializes changes of addresses and merges of contacts in a workspace: two contacts that swap addresses
 * would deadlock at the unique index. A statement sees only what was committed before it started, so the
 * caller reads addresses in later statements.
 */
export async function lockAddresses(tx: Tx, { workspaceId }: { workspaceId: string }): Promise<void> {
  await tx.$executeRaw`
    select pg_advisory_xact_lock(hashtextextended('contact addresses ' || ${workspaceId}, 0))`;
}
