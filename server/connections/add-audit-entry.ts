import type { Tx } from '#server/db.ts';
import type { Teammate } from '#server/teammates/actor.ts';

/**
 * What the audit list tells of: a connection made, refused at the consent page, or ended; an event sent again by hand,
 * or all that had failed lately.
 */
export type AuditKind =
  | 'connection_made'
  | 'connection_refused'
  | 'connection_ended'
  | 'event_redelivered'
  | 'failed_events_redelivered';

/** Adds to the workspace's audit list, in the transaction of the change. */
export async function addAuditEntry(
  tx: Tx,
  entry: {
    workspaceId: string;
    kind: AuditKind;
    connectionId?: string;
    by?: Teammate | undefined;
    data?: Record<string, string>;
  },
): Promise<void> {
  await tx.auditEntry.create({
    data: {
      workspaceId: entry.workspaceId,
      kind: entry.kind,
      connectionId: entry.connectionId ?? null,
      userId: entry.by?.id ?? null,
      userName: entry.by?.name ?? null,
      data: entry.data ?? {},
    },
    select: { id: true },
  });
}
