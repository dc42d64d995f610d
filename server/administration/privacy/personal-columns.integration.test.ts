import { expect } from 'vitest';
import { textColumns } from '#test/database/rows-with-text.ts';
import { test } from '#test/fixtures/service-test.ts';

/**
 * What the erasure of a contact does with each column that can hold a text. A new column needs a decision here, and in
 * docs/privacy.md if it holds personal data. `erase-contact.integration.test.ts` looks into all of them.
 */
const DECISIONS: Record<string, Record<string, string>> = {
  'erased with the contact or its conversations': {
    address_verifications: 'email token_hash',
    attachments: 'content_id content_type name',
    attempts: 'error response_excerpt retry_after',
    command_runs: 'arguments command operator_email operator_name',
    contact_erasures: 'counts emails external_ids own_emails requested_by_name',
    contact_field_values: 'text',
    contact_identities: 'external_id name phone scope',
    contact_offers: 'before email first_name last_name',
    conversation_facts: 'tags',
    contacts: 'city claimed_email email first_name language last_name phone phone_digits phone_key search',
    conversation_field_values: 'text',
    conversation_tags: 'key name',
    conversations: 'external_thread_id reply_to search subject',
    events: 'actor body filter_values key trace_parent',
    file_chunks: 'content',
    mail_references: 'message_id_header',
    message_parts: 'content external_id',
    messages:
      'agent_decision author_address author_name bcc cc content context delivery_error external_id formatted full_content html invitation mail_to program_name provider_ids reply_to search sender_checks template thread_reason undelivered_to',
    note_files: 'content_type name',
    note_versions: 'content formatted',
    notes: 'author_name content formatted program_name search',
    notifications: 'data kind',
    outbox_messages: 'bcc cc content file_names recipients sender subject',
    pending_replies: 'attachments bcc cc content formatted mail_to problem',
    ratings: 'comment',
    reactions: 'author author_name emoji',
    reply_drafts: 'answers attachments bcc cc content formatted',
    samples: 'event filter',
    suggested_replies: 'content program_name reason',
    tagging_tags: 'key name',
    timeline_entries: 'actor_name data kind',
    visitors: 'token_hash',
  },
  'anonymised: the entry stays, without name and address of the contact': {
    audit_entries: 'data kind user_name',
  },
  'kept: without it the blocked person could write again. The label is erased': {
    blocked_senders: 'created_by_name label value',
  },
  'expires: processed updates are erased, others after 14 days': {
    inbound_updates: 'album body error external_id headers',
  },
  'expires after a day': { idempotency_keys: 'key request_hash response' },
  'expires two hours after the last count': { rate_limits: 'key' },
  'kept: belongs to a teammate, whose account is deleted by them': {
    address_changes: 'confirm_hash new_email old_email refuse_hash',
    accounts: 'access_token account_id id_token password provider_id refresh_token scope',
    connections: 'teammate_email teammate_name',
    invitations: 'email name token_hash',
    members: 'signature',
    notification_preferences: 'bell desktop email push sound time_zone',
    passkeys: 'credential_id name public_key transports',
    push_subscriptions: 'auth device endpoint p256dh',
    recovery_codes: 'code_hash',
    second_factors: 'secret',
    sign_on_identities: 'issuer subject',
    sessions: 'ip_address token user_agent',
    users: 'email image name',
    verifications: 'identifier value',
  },
  'kept: settings and texts of the workspace': {
    api_tokens: 'abilities created_by_name label last_four last_used_address token_hash',
    channel_accounts: 'credentials external_id last_error name settings',
    companies: 'name',
    custom_fields: 'name',
    field_choices: 'name',
    company_domains: 'domain',
    email_domains: 'dkim_private_key dkim_public_key dkim_selector domain verification_token',
    email_forms: 'address',
    flows: 'actions condition name trigger',
    hooks: 'command event events filter_key tag target_url',
    integrations: 'kind name',
    mailboxes: 'address name',
    report_counts: 'key',
    report_states: 'time_zone',
    saved_answers: 'answer question',
    saved_replies: 'content created_by_name folder name search',
    saved_reply_files: 'content_type name',
    saved_views: 'filters name',
    tags: 'key name',
    tag_replacements: 'key name new_key new_name',
    sign_on_domains: 'domain verification_token',
    single_sign_ons: 'client_id client_secret issuer',
    teams: 'business_hours name',
    webhook_endpoints: 'created_by_name description earlier_secret secret',
    workspace_exports: 'cursor requested_by_name',
    workspaces: 'business_hours country name phone_keys_country search_language',
  },
  'kept: digests, ids and names of code': {
    access_tokens: 'token_hash',
    authorization_codes: 'code_challenge code_hash redirect_uri',
    consent_forms: 'request_hash token_hash',
    event_log_epochs: 'history',
    flow_causes: 'causes',
    held_work: 'job_key payload queue_name task',
    hook_queue: 'claimed_by',
    job_outbox: 'job_key payload queue_name task',
    refresh_tokens: 'token_hash',
    retention_rules: 'counts',
    stored_files: 'store',
    worker_leases: 'pool_id',
  },
};

test('each column that can hold personal data is erased, anonymised, expires or is kept for a reason', async () => {
  const decided = Object.values(DECISIONS).flatMap((tables) =>
    Object.entries(tables).flatMap(([table, columns]) =>
      columns.split(' ').map((column) => `${table}.${column}`),
    ),
  );
  const found = (await textColumns()).map(({ table, column }) => `${table}.${column}`);
  expect(new Set(decided).size).toBe(decided.length);
  expect(decided.toSorted()).toEqual(found.toSorted());
});
