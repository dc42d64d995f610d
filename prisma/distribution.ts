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
  access_tokens_pkey: 'A token comes without its workspace.',
  refresh_tokens_pkey: 'A token comes without its workspace.',
  authorization_codes_pkey: 'A code comes without its workspace.',
  consent_forms_pkey: 'A form of the consent page comes with its token alone.',
  visitors_pkey: 'A visitor comes with their token alone.',
  address_verifications_pkey: 'A link of a verification holds its token alone.',
  invitations_token_hash_key: 'A link of an invitation holds its token alone.',
  sessions_token_key: 'A session comes with its cookie alone, and may change its workspace.',
  sessions_pkey: 'A session may change its workspace, which a distribution column may not.',
  mailboxes_address_key: 'An address is one mailbox of the installation; mail comes in without a workspace.',
  channel_accounts_connected_once:
    'An account of a provider is connected once; its updates come in without a workspace.',
  inbound_updates_without_account: 'What came for no account that is known has no workspace yet.',
};

/**
 * Unique keys that get the workspace in front without changing their meaning, because their random ids belong to one
 * workspace. Primary keys named `id` are not listed.
 */
export const WIDENED_KEYS: readonly string[] = [
  'attempts_pkey',
  'contact_links_pkey',
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
  'tagging_tags_pkey',
  'team_members_pkey',
];

/** Foreign keys between distributed tables that would get the workspace, as `table -> referenced table`. */
export const WIDENED_FOREIGN_KEYS: readonly string[] = [
  'attachments -> stored_files',
  'authorization_codes -> connections',
  'connections -> integrations',
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
