import { v5 as uuidv5 } from 'uuid';
import type { Tx } from '#server/core/database/prisma.ts';

/** Changes to the workspace and its members. The list of connections does not show these. */
export type TeamAuditKind =
  | 'teammate_invited'
  | 'invitation_withdrawn'
  | 'teammate_joined'
  | 'role_changed'
  | 'teammate_removed'
  | 'teammate_left'
  | 'teammate_away'
  | 'teammate_back'
  | 'teammate_deleted'
  | 'team_created'
  | 'team_renamed'
  | 'team_deleted'
  | 'team_assignment_set'
  | 'team_member_added'
  | 'team_member_removed'
  | 'source_limited'
  | 'source_opened'
  | 'view_limited'
  | 'view_opened'
  | 'tag_created'
  | 'tag_renamed'
  | 'tag_merged'
  | 'tag_deleted'
  | 'new_tags_limited'
  | 'new_tags_opened'
  | 'field_created'
  | 'field_renamed'
  | 'field_choices_changed'
  | 'field_deleted'
  | 'flow_created'
  | 'flow_changed'
  | 'flow_turned_on'
  | 'flow_turned_off'
  | 'flow_deleted'
  | 'company_deleted'
  | 'contacts_merged'
  | 'contact_exported'
  | 'contact_erasure_scheduled'
  | 'contact_erasure_stopped'
  | 'contact_erased'
  | 'settings_changed'
  | 'hours_set'
  | 'hours_removed'
  | 'team_hours_set'
  | 'team_hours_removed'
  | 'workspace_export_requested'
  | 'workspace_export_downloaded'
  | 'retention_changed'
  | 'retention_applied'
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
  | 'workspace_deleted'
  | 'second_factor_required'
  | 'second_factor_not_required'
  | 'second_factor_reset'
  | 'single_sign_on_saved'
  | 'single_sign_on_removed'
  | 'single_sign_on_tested'
  | 'single_sign_on_required'
  | 'single_sign_on_not_required'
  | 'single_sign_on_joining'
  | 'single_sign_on_failed'
  | 'sign_on_domain_verified'
  | 'sign_on_domain_removed';

/** Sign-ins and changes to how a teammate signs in. They are in the log of each of the teammate's workspaces. */
export type SignInAuditKind =
  | 'signed_in'
  | 'signed_in_on_new_device'
  | 'sign_in_failed'
  | 'sessions_ended'
  | 'second_factor_enabled'
  | 'second_factor_disabled'
  | 'recovery_codes_renewed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'second_factor_used'
  | 'second_factor_failed'
  | 'address_change_requested'
  | 'address_changed'
  | 'address_change_refused';

/**
 * All kinds of audit entries: also connections created, refused at the consent page or ended, API tokens created or
 * revoked, other integrations added or removed, and events redelivered by hand, one or all recent failures.
 */
export type AuditKind =
  | TeamAuditKind
  | SignInAuditKind
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

/**
 * Adds an entry about a teammate's sign-in to the audit log of each of their workspaces, test workspaces aside.
 * @param entry.isByTeammate false when it is unknown who did it, as with a failed sign-in
 * @param entry.id makes a repeated call add nothing
 */
export async function addSignInEntries(
  tx: Tx,
  entry: {
    userId: string;
    kind: SignInAuditKind;
    isByTeammate: boolean;
    data: Record<string, string>;
    id: string;
  },
): Promise<void> {
  const { userId, kind, isByTeammate, data, id } = entry;
  const user = await tx.user.findUnique({
    where: { id: userId, deletedAt: null },
    select: {
      name: true,
      memberships: {
        where: { workspace: { deletedAt: null, testOfId: null } },
        select: { workspaceId: true },
      },
    },
  });
  if (!user) return;
  await tx.auditEntry.createMany({
    data: user.memberships.map(({ workspaceId }) => ({
      id: uuidv5(workspaceId, id),
      workspaceId,
      kind,
      userId: isByTeammate ? userId : null,
      userName: isByTeammate ? user.name : null,
      data: { teammateName: user.name, ...data },
    })),
    skipDuplicates: true,
  });
}

/** SQL that assigns the data of an entry `r` without the name or address of a contact. */
export const WITHOUT_CONTACT = `data = case when r.data ? 'sender' then r.data - 'value' || '{"sender": "(erased)"}'
  when r.data ? 'contactName' then r.data || '{"contactName": "(erased)"}' else r.data end`;
