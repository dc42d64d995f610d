import type { Tx } from '#server/core/database/prisma.ts';

/** Changes to the workspace and its members. The list of connections does not show these. */
export type TeamAuditKind =
  | 'teammate_invited'
  | 'invitation_withdrawn'
  | 'teammate_joined'
  | 'role_changed'
  | 'teammate_removed'
  | 'teammate_left'
  | 'teammate_deleted'
  | 'team_created'
  | 'team_renamed'
  | 'team_deleted'
  | 'team_member_added'
  | 'team_member_removed'
  | 'company_deleted'
  | 'contacts_merged'
  | 'contact_exported'
  | 'settings_changed'
  | 'domain_verified'
  | 'domain_removed'
  | 'signing_key_made'
  | 'posted_mail_address_made'
  | 'mailbox_renamed'
  | 'mailbox_removed'
  | 'channel_connected'
  | 'channel_disconnected'
  | 'form_added'
  | 'form_removed'
  | 'sender_blocked'
  | 'sender_unblocked'
  | 'plan_changed'
  | 'workspace_created'
  | 'test_workspace_created'
  | 'workspace_deleted';

/**
 * All kinds of audit entries: also connections created, refused at the consent page or ended, API tokens created or
 * revoked, other integrations added or removed, and events redelivered by hand, one or all recent failures.
 */
export type AuditKind =
  | TeamAuditKind
  | 'connection_made'
  | 'connection_refused'
  | 'connection_ended'
  | 'api_token_created'
  | 'api_token_revoked'
  | 'webhook_created'
  | 'webhook_changed'
  | 'webhook_deleted'
  | 'webhook_secret_rotated'
  | 'webhook_replayed'
  | 'integration_added'
  | 'integration_removed'
  | 'event_redelivered'
  | 'failed_events_redelivered';

/** The teammate who did it, or the label of a program, which has no id. */
export type AuditAuthor = { id: string | null; name: string };

/** Adds an entry to the workspace's audit log, in the transaction of the change. */
export async function addAuditEntry(
  tx: Tx,
  entry: {
    workspaceId: string;
    kind: AuditKind;
    connectionId?: string;
    by?: AuditAuthor | undefined;
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
