import { beforeAll, describe, expect, test } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { makeWholeWorkspace } from '#test/fixtures/whole-workspace.ts';

type Whole = Awaited<ReturnType<typeof makeWholeWorkspace>>;

withTestService();
let here: Whole;
let there: Whole;
beforeAll(async () => {
  here = await makeWholeWorkspace();
  there = await makeWholeWorkspace();
});

const refused = (sql: string, constraint: string | RegExp) =>
  expect(pool().query(sql)).rejects.toMatchObject({ constraint: expect.stringMatching(constraint) });

describe('a conversation cannot refer to another workspace by', () => {
  test.each([
    ['its assignee', 'assignee_id', () => there.userId],
    ['its team', 'team_id', () => there.teamId],
    ['its contact', 'contact_id', () => there.contactId],
    ['what it was merged into', 'merged_into_id', () => there.conversationId],
  ])('%s', async (_what, column, id) => {
    await refused(
      `update conversations set ${column} = '${id()}' where id = '${here.conversationId}'`,
      `conversations_workspace_id_${column}_fkey`,
    );
  });

  test('its messages', async () => {
    await refused(
      `update messages set conversation_id = '${there.conversationId}' where id = '${here.messageId}'`,
      'messages_workspace_id_conversation_id_fkey',
    );
  });
});

describe('there cannot be', () => {
  test('two contacts with one address in a workspace', async () => {
    await refused(
      `insert into contacts (id, workspace_id, email)
       select gen_random_uuid(), workspace_id, email from contacts where id = '${here.contactId}'`,
      'contacts_workspace_id_email_key',
    );
  });

  test('a company that two workspaces share', async () => {
    await refused(
      `update contacts set company_id = (select company_id from contacts where id = '${there.contactId}')
       where id = '${here.contactId}'`,
      'contacts_workspace_id_company_id_fkey',
    );
  });

  test('two teams of one name, whatever the case', async () => {
    await refused(
      `insert into teams (id, workspace_id, name) values (gen_random_uuid(), '${here.workspaceId}', 'SUPPORT')`,
      'teams_name_key',
    );
  });

  test('two default mailboxes in a workspace', async () => {
    await refused(
      `insert into mailboxes (id, workspace_id, address, name, is_default)
       values (gen_random_uuid(), '${here.workspaceId}', 'other@acme.test', 'Other', true)`,
      'mailboxes_one_default',
    );
  });

  test('one mailbox address in two workspaces', async () => {
    await refused(
      `insert into mailboxes (id, workspace_id, address, name)
       select gen_random_uuid(), '${there.workspaceId}', address, name from mailboxes
       where workspace_id = '${here.workspaceId}'`,
      'mailboxes_address_key',
    );
  });

  test('two slots of one kind in a workspace', async () => {
    await refused(
      `insert into integrations (id, workspace_id, kind, name)
       values (gen_random_uuid(), '${here.workspaceId}', 'automation', 'Again')`,
      'integrations_workspace_id_kind_key',
    );
  });

  test('two refresh tokens of a connection', async () => {
    await refused(
      `insert into refresh_tokens (token_hash, connection_id) values ('\\x00', '${here.connectionId}')`,
      'refresh_tokens_connection_id_key',
    );
  });

  test('two deliveries of an event to a hook', async () => {
    await refused(
      `insert into deliveries (id, workspace_id, event_id, hook_id, next_attempt_at)
       values (gen_random_uuid(), '${here.workspaceId}', '${here.eventId}', '${here.hookId}', now())`,
      /deliveries_\d+_pkey/,
    );
  });

  test('two results of one attempt', async () => {
    await refused(
      `insert into attempts (event_id, delivery_id, number, outcome, started_at, duration_ms)
       values ('${here.eventId}', '${here.deliveryId}', 1, 'delivered', now(), 1)`,
      /attempts_\d+_pkey/,
    );
  });

  test('one tag twice on a conversation', async () => {
    await refused(
      `insert into conversation_tags (conversation_id, workspace_id, key, name)
       values ('${here.conversationId}', '${here.workspaceId}', 'vip', 'vip')`,
      'conversation_tags_pkey',
    );
  });

  test('one note twice for a command run', async () => {
    await refused(
      `insert into notes (id, workspace_id, conversation_id, author_kind, content, command_run_id)
       values (gen_random_uuid(), '${here.workspaceId}', '${here.conversationId}', 'automatic', 'x', '${here.runId}')`,
      'notes_workspace_id_command_run_id_key',
    );
  });
});

describe('two workspaces cannot have', () => {
  test('a delivery of one’s event to the other’s hook', async () => {
    await refused(
      `insert into deliveries (id, workspace_id, event_id, hook_id, next_attempt_at)
       values (gen_random_uuid(), '${here.workspaceId}', '${here.eventId}', '${there.hookId}', now())`,
      'deliveries_workspace_id_hook_id_fkey',
    );
  });

  test('a hook in one on the other’s connection', async () => {
    await refused(
      `insert into hooks (id, workspace_id, connection_id, event, target_url)
       values (gen_random_uuid(), '${here.workspaceId}', '${there.connectionId}', 'contact.created', 'https://a.test')`,
      'hooks_workspace_id_connection_id_fkey',
    );
  });
});
