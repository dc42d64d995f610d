/** How the rows of a table are found: by the workspace, or by the conversation that they belong to. */
type Of = 'workspace' | 'conversation' | 'messages' | 'notes' | 'taggings';

/**
 * A table of the export, as JSON lines. `columns`: those that are exported. `key`: columns that are unique together, in the order of the
 * lines. `where`: further condition on `t`. `scope`: condition that replaces that on the workspace `$1`.
 */
export type ExportTable = {
  table: string;
  of: Of;
  key: string;
  columns: string;
  where?: string;
  scope?: string;
};

const ofConversation = (table: string, columns: string, key = 'id'): ExportTable => ({
  table,
  of: 'conversation',
  key,
  columns,
});

/** Tables in the order of the export. A column that is neither here nor in `LEFT_OUT` fails a test. */
export const EXPORT_TABLES: readonly ExportTable[] = [
  {
    table: 'workspaces',
    of: 'workspace',
    key: 'id',
    scope: 't.id = $1',
    columns:
      'id name plan test_of_id assign_on_reply close_solved_after_days sla_first_response_minutes sla_resolution_minutes business_hours ai_agent_enabled ask_for_rating country search_language new_tags_by_admins second_factor_from created_at updated_at',
  },
  {
    table: 'retention_rules',
    of: 'workspace',
    key: 'workspace_id',
    columns: 'workspace_id conversation_days anonymizes file_days audit_days starts_at',
  },
  {
    table: 'members',
    of: 'workspace',
    key: 'user_id',
    columns: 'workspace_id user_id role signature only_assigned away_since away_until created_at updated_at',
  },
  {
    table: 'users',
    of: 'workspace',
    key: 'id',
    scope: 't.id in (select user_id from members where workspace_id = $1)',
    columns: 'id name email',
  },
  {
    table: 'teams',
    of: 'workspace',
    key: 'id',
    columns: 'id workspace_id name business_hours assignment assignment_limit deleted_at created_at',
  },
  {
    table: 'team_members',
    of: 'workspace',
    key: 'team_id user_id',
    columns: 'workspace_id team_id user_id last_assigned_at',
  },
  {
    table: 'limited_sources',
    of: 'workspace',
    key: 'id',
    columns: 'id workspace_id mailbox_id channel_account_id',
  },
  {
    table: 'limited_source_teams',
    of: 'workspace',
    key: 'source_id team_id',
    columns: 'workspace_id source_id team_id',
  },
  {
    table: 'invitations',
    of: 'workspace',
    key: 'id',
    columns:
      'id workspace_id email role name only_assigned mailed_at invited_by_id expires_at accepted_at withdrawn_at created_at',
  },
  { table: 'companies', of: 'workspace', key: 'id', columns: 'id workspace_id name deleted_at created_at' },
  {
    table: 'company_domains',
    of: 'workspace',
    key: 'domain',
    columns: 'workspace_id domain company_id',
  },
  {
    table: 'contacts',
    of: 'workspace',
    key: 'id',
    where: 'not t.is_test',
    columns:
      'id workspace_id first_name last_name email claimed_email phone city language company_id ratings_declined_at created_at updated_at',
  },
  {
    table: 'contact_identities',
    of: 'workspace',
    key: 'id',
    columns: 'id workspace_id contact_id channel scope external_id name phone created_at updated_at',
  },
  { table: 'contact_aliases', of: 'workspace', key: 'id', columns: 'id workspace_id contact_id created_at' },
  {
    table: 'contact_links',
    of: 'workspace',
    key: 'contact_id',
    columns: 'contact_id workspace_id owner_id created_at',
  },
  {
    table: 'blocked_senders',
    of: 'workspace',
    key: 'id',
    columns: 'id workspace_id kind value label created_by_name created_at last_refused_at',
  },
  {
    table: 'channel_accounts',
    of: 'workspace',
    key: 'id',
    columns:
      'id workspace_id channel external_id name settings status last_error last_error_at last_received_at last_sent_at created_at deleted_at',
  },
  {
    table: 'email_domains',
    of: 'workspace',
    key: 'id',
    columns: 'id workspace_id domain verified_at created_at',
  },
  {
    table: 'single_sign_ons',
    of: 'workspace',
    key: 'workspace_id',
    columns: 'workspace_id issuer client_id tested_at required_at join_role created_at updated_at',
  },
  {
    table: 'sign_on_domains',
    of: 'workspace',
    key: 'id',
    columns: 'id workspace_id domain verified_at created_at',
  },
  {
    table: 'mailboxes',
    of: 'workspace',
    key: 'id',
    columns: 'id workspace_id address name is_default email_domain_id last_received_at created_at',
  },
  { table: 'email_forms', of: 'workspace', key: 'id', columns: 'id workspace_id address is_form created_at' },
  {
    table: 'saved_answers',
    of: 'workspace',
    key: 'id',
    columns: 'id workspace_id question answer next_status created_at updated_at',
  },
  {
    table: 'saved_replies',
    of: 'workspace',
    key: 'id',
    where: 't.owner_id is null',
    columns:
      'id workspace_id created_by_id created_by_name folder name content used_count last_used_at created_at updated_at',
  },
  {
    table: 'saved_reply_files',
    of: 'workspace',
    key: 'id',
    where: 'exists (select from saved_replies r where r.id = t.saved_reply_id and r.owner_id is null)',
    columns: 'id workspace_id saved_reply_id position name content_type size_bytes',
  },
  {
    table: 'saved_views',
    of: 'workspace',
    key: 'id',
    where: 't.owner_id is null',
    columns: 'id workspace_id name filters created_at',
  },
  { table: 'tags', of: 'workspace', key: 'key', columns: 'workspace_id key name tint created_at' },
  {
    table: 'custom_fields',
    of: 'workspace',
    key: 'id',
    columns: 'id workspace_id subject type name position deleted_at created_at',
  },
  {
    table: 'field_choices',
    of: 'workspace',
    key: 'id',
    columns: 'id workspace_id field_id name position deleted_at',
  },
  {
    table: 'contact_field_values',
    of: 'workspace',
    key: 'contact_id field_id',
    columns: 'workspace_id contact_id field_id text number date choice_id created_at',
  },
  {
    table: 'flows',
    of: 'workspace',
    key: 'id',
    columns: 'id workspace_id name enabled trigger condition actions created_at updated_at',
  },
  {
    table: 'flow_runs',
    of: 'conversation',
    key: 'conversation_id flow_id',
    columns: 'workspace_id conversation_id flow_id counted_from runs last_run_at stopped_at',
  },
  {
    table: 'integrations',
    of: 'workspace',
    key: 'id',
    columns: 'id workspace_id kind name created_at',
  },
  {
    table: 'connections',
    of: 'workspace',
    key: 'id',
    columns:
      'id workspace_id user_id integration_id teammate_name teammate_email exchanged_at last_used_at ended_at end_reason created_at',
  },
  {
    table: 'webhook_endpoints',
    of: 'workspace',
    key: 'id',
    columns: 'id workspace_id description created_by_name created_at',
  },
  {
    table: 'api_tokens',
    of: 'workspace',
    key: 'id',
    columns:
      'id workspace_id label abilities expires_at created_by_id created_by_name last_used_at revoked_at created_at',
  },
  {
    table: 'audit_entries',
    of: 'workspace',
    key: 'created_at id',
    columns: 'id workspace_id kind user_id user_name connection_id data created_at',
  },
  {
    table: 'conversations',
    of: 'workspace',
    key: 'id',
    where: 'not t.is_test',
    columns:
      'id workspace_id subject status priority channel contact_id assignee_id team_id mailbox_id merged_into_id ai_agent_silenced contact_claimed linked_from_id external_thread_id channel_account_id reply_to status_changed_at assigned_at resolved_at snoozed_until send_later_at rating_asked_at last_message_at removal removed_at anonymized_at last_inbound_at waiting_since created_at updated_at',
  },
  ofConversation(
    'conversation_tags',
    'conversation_id workspace_id key name position created_at',
    'conversation_id key',
  ),
  ofConversation(
    'conversation_field_values',
    'conversation_id field_id workspace_id text number date choice_id created_at',
    'conversation_id field_id',
  ),
  ofConversation('taggings', 'id workspace_id conversation_id actor_kind created_at'),
  {
    table: 'tagging_tags',
    of: 'taggings',
    key: 'tagging_id key',
    columns: 'tagging_id workspace_id position key name created_at',
  },
  ofConversation(
    'messages',
    'id workspace_id conversation_id direction author_kind author_id author_name author_address program_name content formatted attachments_count send_status delivery_error deferrals external_id automatic template edited_at sender_verified sender_checks agent_decision thread_reason html trimmed full_content invitation context original_file_id forwarded_id mail_to reply_to cc bcc undelivered_to created_at',
  ),
  {
    table: 'message_parts',
    of: 'messages',
    key: 'message_id external_id',
    columns: 'workspace_id external_id message_id content edited_at',
  },
  {
    table: 'reactions',
    of: 'messages',
    key: 'message_id author emoji',
    columns: 'workspace_id message_id author author_name emoji created_at',
  },
  {
    table: 'attachments',
    of: 'messages',
    key: 'id',
    columns: 'id workspace_id message_id name content_type size_bytes inline content_id created_at',
  },
  ofConversation(
    'notes',
    'id workspace_id conversation_id author_kind author_id author_name program_name command_run_id content formatted created_at edited_at deleted_at version',
  ),
  {
    table: 'note_versions',
    of: 'notes',
    key: 'note_id number',
    columns: 'note_id number content formatted written_at',
  },
  {
    table: 'note_files',
    of: 'notes',
    key: 'id',
    columns: 'id workspace_id note_id position name content_type size_bytes created_at',
  },
  { table: 'note_mentions', of: 'notes', key: 'note_id user_id', columns: 'note_id user_id' },
  ofConversation(
    'ratings',
    'id workspace_id conversation_id solved_conversation_id resolved_at score comment created_at',
  ),
  ofConversation(
    'command_runs',
    'id workspace_id conversation_id operator_id operator_name operator_email command arguments created_at',
  ),
  ofConversation(
    'timeline_entries',
    'id workspace_id conversation_id kind actor_kind actor_id actor_name data created_at',
  ),
  ofConversation(
    'sla_clocks',
    'id workspace_id conversation_id kind started_at counted_from remaining_ms due_at paused_at stopped_at breached_at',
  ),
  ofConversation(
    'pending_replies',
    'id workspace_id conversation_id author_id content formatted send_at problem sends_later solves mail_to cc bcc attachments saved_reply_ids created_at',
  ),
  ofConversation(
    'reply_drafts',
    'conversation_id workspace_id version is_empty content formatted answers changes_copies cc bcc attachments saved_reply_ids author_id created_at updated_at',
    'conversation_id',
  ),
  ofConversation(
    'suggested_replies',
    'id workspace_id conversation_id program_name content reason created_at',
  ),
];
