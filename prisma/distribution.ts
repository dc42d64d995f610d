/**
 * Changes that sharding by workspace (Citus, `distribute by workspace_id`) would need, per table.
 * `prisma/distribution.integration.test.ts` compares these lists with the catalogue. Citus requires the workspace in
 * each unique key of a distributed table and in each foreign key between two of them. A reference table is copied to
 * every node, a local one stays on the coordinator.
 */

/** Tables without a workspace that every node would have, with the reason. */
export const REFERENCE_TABLES: Record<string, string> = {
  users: 'A teammate may be in many workspaces; one row per teammate, rarely written.',
  workspaces: 'One shard per row; small, rarely written, and referenced by most tables.',
};

/** Tables without a workspace that would stay on the coordinator, with the reason. */
export const LOCAL_TABLES: Record<string, string> = {
  _prisma_migrations: 'Describes the installation.',
  accounts: 'Sign-in happens before a workspace is chosen.',
  verifications: 'Password reset links; no workspace.',
  rate_limits: 'Unlogged counts.',
  job_outbox: 'Moved immediately to the job queue, which is local as well.',
  worker_leases: 'One row per worker.',
  held_work: 'Jobs and deliveries of a restored database, for operators.',
  event_log_epochs: 'One row. Nodes would need positions of their own, as each has its own transaction ids.',
};

/** Tables that get their workspace from another table. Each would get the column, copied from the named table. */
export const INHERITING_TABLES: Record<string, string> = {
  access_tokens: 'connections',
  refresh_tokens: 'connections',
  authorization_codes: 'connections',
  idempotency_keys: 'connections',
  attempts: 'deliveries',
  hook_queue: 'hooks',
  events_to_fan_out: 'events',
  file_chunks: 'stored_files',
  note_mentions: 'notes',
};

/**
 * Unique keys that must be unique over all workspaces. Each would become a reference table from the key to its
 * workspace.
 */
export const GLOBAL_KEYS: Record<string, string> = {
  access_tokens_pkey: 'A request with a token does not name the workspace.',
  refresh_tokens_pkey: 'A request with a token does not name the workspace.',
  api_tokens_token_hash_key: 'A request with a token does not name the workspace.',
  authorization_codes_pkey: 'A request with a code does not name the workspace.',
  consent_forms_pkey: 'A posted consent form has only its token.',
  visitors_pkey: 'A visitor’s request has only their token.',
  address_verifications_pkey: 'A verification link has only its token.',
  invitations_token_hash_key: 'An invitation link has only its token.',
  sessions_token_key: 'A request has only the session’s cookie, and a session may switch its workspace.',
  sessions_pkey: 'A session may switch its workspace, but a distribution column must not change.',
  mailboxes_address_key:
    'An address is one mailbox of the installation; incoming mail does not name a workspace.',
  channel_accounts_connected_once:
    'A provider’s account is connected once; its updates do not name a workspace.',
  inbound_updates_without_account: 'An update for an unknown account has no workspace yet.',
};

/**
 * Unique keys that get the workspace as their first column without changing their meaning, because their random ids
 * belong to one workspace. Primary keys named `id` are not listed.
 */
export const WIDENED_KEYS: readonly string[] = [
  'attempts_pkey',
  'contact_links_pkey',
  'contact_offers_pkey',
  'conversation_reads_pkey',
  'conversation_tags_pkey',
  'deliveries_pkey',
  'events_to_fan_out_pkey',
  'file_chunks_pkey',
  'hook_queue_pkey',
  'idempotency_keys_pkey',
  'inbound_updates_account_id_external_id_key',
  'messages_original_file_id_key',
  'note_mentions_pkey',
  'ratings_once_each_solving',
  'refresh_tokens_connection_id_key',
  'samples_pkey',
  'sla_clocks_one_running',
  'suggested_replies_conversation_id_token_id_key',
  'tagging_tags_pkey',
  'team_members_pkey',
];

/** Foreign keys between distributed tables that would get the workspace, as `table -> referenced table`. */
export const WIDENED_FOREIGN_KEYS: readonly string[] = [
  'attachments -> stored_files',
  'authorization_codes -> connections',
  'connections -> integrations',
  'contact_offers -> contacts',
  'conversations -> contact_links',
  'file_chunks -> stored_files',
  'hook_queue -> hooks',
  'inbound_updates -> channel_accounts',
  'messages -> connections',
  'messages -> messages',
  'messages -> stored_files',
  'note_mentions -> notes',
  'notes -> connections',
  'refresh_tokens -> connections',
  'saved_reply_files -> stored_files',
];
