import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { makeWholeWorkspace } from '#test/fixtures/whole-workspace.ts';

/** `test` with a workspace that has a row of nearly every table. */
const test = serviceTest.extend('at', { scope: 'file' }, ({ service: _ }) => makeWholeWorkspace());

describe.for([
  ['contact', 'contacts', 'contactId', wrongContacts()],
  ['conversation', 'conversations', 'conversationId', wrongConversations()],
  ['message', 'messages', 'messageId', wrongMessages()],
  ['channel account', 'channel_accounts', 'accountId', wrongAccounts()],
  ['contact’s identity', 'contact_identities', 'identityId', wrongIdentities()],
  ['hook', 'hooks', 'hookId', wrongHooks()],
  ['delivery', 'deliveries', 'deliveryId', wrongDeliveries()],
  ['connection', 'connections', 'connectionId', wrongConnections()],
] as const)('a %s', ([, table, id, wrong]) => {
  test.for(wrong)('cannot have %s', async ([, { set, refusedBy }], { at }) => {
    await expect(change(table, at[id], set)).rejects.toMatchObject({ constraint: refusedBy });
  });
});

test.for([0, 6])('a rating cannot be %i', async (score, { at }) => {
  await expect(change('ratings', at.ratingId, `score = ${score}`)).rejects.toMatchObject({
    constraint: 'ratings_score',
  });
});

test.for(['', '/refund', 'Refund', '-a', 'x'.repeat(49)])(
  'a command run cannot have the command %j',
  async (command, { at }) => {
    const { rejects } = expect(change('command_runs', at.runId, `command = '${command}'`));
    await rejects.toMatchObject({ constraint: 'command_runs_command' });
  },
);

test.each([
  ['in an unknown store', `insert into stored_files (id, store) values ($1, 'disk')`, 'stored_files_store'],
  [
    'of a negative size',
    `insert into stored_files (id, store, size_bytes) values ($1, 's3', -1)`,
    'stored_files_size',
  ],
  [
    'in a piece larger than 256 KiB',
    `insert into file_chunks values ($1, 0, convert_to(repeat('x', 262145), 'utf8'))`,
    'file_chunks_content',
  ],
])('a file cannot be %s', async (_what, insert, constraint) => {
  await expect(pool().query(insert, [randomUUID()])).rejects.toMatchObject({ constraint });
});

test('a provider’s account cannot be connected twice, even by two workspaces, until it is disconnected', async ({
  at,
}) => {
  const other = await makeWholeWorkspace();
  const take = () => change('channel_accounts', other.accountId, `external_id = '${at.workspaceId}'`);
  await expect(take()).rejects.toMatchObject({ constraint: 'channel_accounts_connected_once' });
  await change('channel_accounts', at.accountId, 'deleted_at = now(), credentials = null');
  await take();
});

test('deleting a message expires its original mail', async () => {
  const { messageId, workspaceId } = await makeWholeWorkspace();
  const fileId = randomUUID();
  await pool().query(
    `insert into stored_files (id, workspace_id, store, size_bytes) values ($1, $2, 'database', 1)`,
    [fileId, workspaceId],
  );
  await change('messages', messageId, `original_file_id = '${fileId}'`);
  await pool().query('delete from messages where id = $1', [messageId]);
  const { rows } = await pool().query(
    'select expires_at <= now() as "isExpired" from stored_files where id = $1',
    [fileId],
  );
  expect(rows).toEqual([{ isExpired: true }]);
});

const change = (table: string, id: string, set: string) =>
  pool().query(`update ${table} set ${set} where id = $1`, [id]);

/** Test case, its SQL, and the constraint that refuses it. */
type Wrong = [string, { set: string; refusedBy: string }];

/** Returns rows that a contact cannot have. */
function wrongContacts(): Wrong[] {
  return [
    ['an uppercase address', { set: "email = 'Ada@example.com'", refusedBy: 'contacts_email_lowercase' }],
    ['digits that are not the phone’s', { set: "phone_digits = '123'", refusedBy: 'contacts_phone_digits' }],
    ['a phone without its digits', { set: "phone = '+1 23'", refusedBy: 'contacts_phone_digits' }],
  ];
}

/** Returns rows that a conversation cannot have. */
function wrongConversations(): Wrong[] {
  return [
    [
      'itself as its merge target',
      { set: 'merged_into_id = id', refusedBy: 'conversations_not_merged_into_itself' },
    ],
    [
      'an assignee without an assignment time',
      { set: 'assigned_at = null', refusedBy: 'conversations_assigned_at' },
    ],
    [
      'an assignment time without an assignee',
      { set: 'assignee_id = null', refusedBy: 'conversations_assigned_at' },
    ],
    [
      'the status solved without a time',
      { set: "status = 'solved'", refusedBy: 'conversations_solved_has_resolved_at' },
    ],
  ];
}

/** Returns rows that a message cannot have. */
function wrongMessages(): Wrong[] {
  return [
    [
      'a workflow as its inbound author',
      { set: "direction = 'inbound'", refusedBy: 'messages_inbound_by_contact' },
    ],
    [
      'a contact as its outbound author',
      { set: "author_kind = 'contact'", refusedBy: 'messages_inbound_by_contact' },
    ],
    [
      'a send status when inbound',
      { set: "direction = 'inbound', author_kind = 'contact'", refusedBy: 'messages_only_outbound_is_sent' },
    ],
    [
      'an error when it was sent',
      { set: "delivery_error = 'No.'", refusedBy: 'messages_error_only_when_failed' },
    ],
    ['an edit when outbound', { set: 'edited_at = now()', refusedBy: 'messages_only_inbound_is_edited' }],
    [
      'full content unless its content is trimmed',
      { set: "full_content = 'all'", refusedBy: 'messages_full_content_when_trimmed' },
    ],
    [
      'a negative attachment count',
      { set: 'attachments_count = -1', refusedBy: 'messages_attachments_count' },
    ],
  ];
}

/** Returns rows that a channel account cannot have. */
function wrongAccounts(): Wrong[] {
  return [
    [
      'no secrets while it is connected',
      { set: 'credentials = null', refusedBy: 'channel_accounts_credentials' },
    ],
    [
      'secrets after it was disconnected',
      { set: 'deleted_at = now()', refusedBy: 'channel_accounts_credentials' },
    ],
    ['an error without a time', { set: "last_error = 'No.'", refusedBy: 'channel_accounts_error_has_time' }],
    ['no id at its provider', { set: "external_id = ''", refusedBy: 'channel_accounts_external_id' }],
  ];
}

/** Returns rows that a contact’s identity cannot have. */
function wrongIdentities(): Wrong[] {
  return [['no id', { set: "external_id = ''", refusedBy: 'contact_identities_external_id' }]];
}

/** Returns rows that a hook cannot have. */
function wrongHooks(): Wrong[] {
  return [
    ['an unknown event', { set: "event = 'conversation.lost'", refusedBy: 'hooks_event' }],
    ['a target URL without TLS', { set: "target_url = 'http://a.test'", refusedBy: 'hooks_target_url' }],
    [
      'a target URL that is too long',
      { set: "target_url = rpad('https://', 501, 'x')", refusedBy: 'hooks_target_url' },
    ],
    [
      'the filter of another event',
      { set: "status = 'open', filter_key = 'open'", refusedBy: 'hooks_filter_fits_event' },
    ],
    [
      'a filter without a comparison key',
      { set: "event = 'operator.command', command = 'a'", refusedBy: 'hooks_filter_fits_event' },
    ],
    [
      'a command that cannot be run',
      { set: "event = 'operator.command', command = 'A b', filter_key = 'A b'", refusedBy: 'hooks_command' },
    ],
    [
      'a comparison key without a filter',
      { set: "filter_key = 'open'", refusedBy: 'hooks_filter_fits_event' },
    ],
    ['a removal without a reason', { set: 'removed_at = now()', refusedBy: 'hooks_removal_has_reason' }],
    [
      'a removal reason while it is live',
      { set: "removal_reason = 'gone'", refusedBy: 'hooks_removal_has_reason' },
    ],
    ['51 errors in a row', { set: 'consecutive_errors = 51', refusedBy: 'hooks_consecutive_errors' }],
  ];
}

/** Returns rows that a delivery cannot have. */
function wrongDeliveries(): Wrong[] {
  return [
    [
      'an end without an outcome',
      { set: 'ended_at = now(), next_attempt_at = null', refusedBy: 'deliveries_end_has_outcome' },
    ],
    [
      'no next attempt before its end',
      { set: 'next_attempt_at = null', refusedBy: 'deliveries_awaits_or_ended' },
    ],
    ['an outcome before its end', { set: "outcome = 'delivered'", refusedBy: 'deliveries_end_has_outcome' }],
  ];
}

/** Returns rows that a connection cannot have. */
function wrongConnections(): Wrong[] {
  return [
    ['an end without a reason', { set: 'ended_at = now()', refusedBy: 'connections_end_has_reason' }],
    [
      'an end reason while it is active',
      { set: "end_reason = 'disconnected'", refusedBy: 'connections_end_has_reason' },
    ],
    ['no teammate while it is active', { set: 'user_id = null', refusedBy: 'connections_active_is_whole' }],
    [
      'no slot while it is active',
      { set: 'integration_id = null', refusedBy: 'connections_active_is_whole' },
    ],
  ];
}
