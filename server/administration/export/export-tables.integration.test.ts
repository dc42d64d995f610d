import { expect } from 'vitest';
import { EXPORT_TABLES } from '#server/administration/export/export-tables.ts';
import { pool } from '#server/core/database/pools.ts';
import { test } from '#test/fixtures/service-test.ts';

/** Tables that an export leaves out. */
const LEFT_OUT = {
  'secrets and how teammates sign in':
    'sessions accounts passkeys second_factors recovery_codes address_changes verifications address_verifications visitors sign_on_identities session_sign_ons consent_forms authorization_codes access_tokens refresh_tokens',
  'what belongs to one teammate':
    'notifications notification_preferences push_subscriptions push_sends conversation_reads',
  'copies of exported data, on their way':
    'events deliveries attempts inbound_updates outbox_messages samples',
  'what becomes something else': 'contact_erasures contact_offers tag_replacements flow_causes',
  'counted from others': 'report_changes conversation_facts report_counts report_states',
  'the addresses of hooks, which are secrets of their receivers': 'hooks',
  'bytes of files, which are in the archives as files': 'stored_files file_chunks',
  'exports themselves': 'workspace_exports workspace_export_archives',
  'technical tables':
    'mail_references idempotency_keys rate_limits event_log_epochs events_to_fan_out hook_queue waiting_assignments job_outbox held_work worker_leases',
};

/** Columns of exported tables that an export leaves out. */
const COLUMNS_LEFT_OUT: Record<string, Record<string, string>> = {
  'secrets, and digests of secrets': {
    api_tokens: 'token_hash last_four last_used_address revoked_by_id',
    channel_accounts: 'credentials webhook_called_at expires_at',
    email_domains: 'verification_token dkim_selector dkim_private_key dkim_public_key dkim_checked_at',
    invitations: 'token_hash',
    sign_on_domains: 'verification_token',
    single_sign_ons: 'client_secret version',
    webhook_endpoints: 'secret earlier_secret earlier_secret_until failing_since last_failed_at warned_at',
  },
  'of the account, which belongs to the teammate': {
    users: 'email_verified image last_workspace_id limited_in after_solving deleted_at created_at updated_at',
    members: 'read_before',
  },
  'private replies and views are left out': { saved_replies: 'owner_id', saved_views: 'owner_id' },
  'computed from others': {
    contacts: 'phone_digits phone_key is_test search',
    conversations: 'is_test uses_reply_to next_due_at has_failed_reply search',
    messages: 'search',
    notes: 'search',
    saved_replies: 'search',
  },
  'technical state': {
    attachments: 'file_id',
    note_files: 'file_id',
    connections: 'live_token_times paced_until',
    flows: 'timed_until timed_until_id',
    mailboxes: 'is_forwarded test_sent_at test_received_at',
    messages:
      'connection_id api_token_id failure_dismissed_at arrival_doubtful send_started_at solve_asked_at provider_ids forbids_answers',
    notes: 'connection_id',
    retention_rules: 'night counts finished_at ran_at',
    suggested_replies: 'token_id',
    timeline_entries: 'connection_id',
    workspaces: 'phone_keys_country setup_ended_at deleted_at',
  },
};

test('each column of the schema is exported or left out for a reason, and each exported one exists', async () => {
  const { rows } = await pool().query<{ table: string; column: string }>(
    `select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> '_prisma_migrations' and a.attnum > 0 and not a.attisdropped`,
  );
  const leftOut = new Set(words(Object.values(LEFT_OUT)));
  const found = rows.filter(({ table }) => !leftOut.has(table));
  const decided = [
    ...EXPORT_TABLES.flatMap(({ table, columns }) => words([columns]).map((column) => `${table}.${column}`)),
    ...Object.values(COLUMNS_LEFT_OUT).flatMap((tables) =>
      Object.entries(tables).flatMap(([table, columns]) =>
        words([columns]).map((column) => `${table}.${column}`),
      ),
    ),
  ];
  expect(decided.toSorted()).toEqual(found.map(({ table, column }) => `${table}.${column}`).toSorted());
  const tables = new Set(rows.map(({ table }) => table));
  expect([...leftOut].filter((table) => !tables.has(table))).toEqual([]);
});

function words(texts: string[]): string[] {
  return texts.flatMap((text) => text.split(/\s+/));
}
