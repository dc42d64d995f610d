import { expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { makeWholeWorkspace } from '#test/fixtures/whole-workspace.ts';

/** `test` with two workspaces that have a row of nearly every table. */
const test = serviceTest
  .extend('here', { scope: 'file' }, ({ service: _ }) => makeWholeWorkspace())
  .extend('there', { scope: 'file' }, ({ service: _ }) => makeWholeWorkspace());

test.for(references())(
  'a conversation cannot refer to another workspace by $what',
  async ({ sql, constraint }, { here, there }) => {
    await expect(pool().query(sql(here, there))).rejects.toMatchObject({
      constraint: expect.stringMatching(constraint),
    });
  },
);

test.for(duplicates())('there cannot be $what', async ({ sql, constraint }, { here, there }) => {
  await expect(pool().query(sql(here, there))).rejects.toMatchObject({
    constraint: expect.stringMatching(constraint),
  });
});

test.for(foreignRows())('two workspaces cannot have $what', async ({ sql, constraint }, { here, there }) => {
  await expect(pool().query(sql(here, there))).rejects.toMatchObject({
    constraint: expect.stringMatching(constraint),
  });
});

type Whole = Awaited<ReturnType<typeof makeWholeWorkspace>>;
/** A relation, the SQL that attempts it and the constraint that refuses it. */
type Impossible = {
  what: string;
  sql: (here: Whole, there: Whole) => string;
  constraint: string | RegExp;
};

function references(): Impossible[] {
  return [
    {
      what: 'its assignee',
      sql: (here, there) =>
        `update conversations set assignee_id = '${there.userId}' where id = '${here.conversationId}'`,
      constraint: 'conversations_workspace_id_assignee_id_fkey',
    },
    {
      what: 'its team',
      sql: (here, there) =>
        `update conversations set team_id = '${there.teamId}' where id = '${here.conversationId}'`,
      constraint: 'conversations_workspace_id_team_id_fkey',
    },
    {
      what: 'its contact',
      sql: (here, there) =>
        `update conversations set contact_id = '${there.contactId}' where id = '${here.conversationId}'`,
      constraint: 'conversations_workspace_id_contact_id_fkey',
    },
    {
      what: 'the conversation it was merged into',
      sql: (here, there) =>
        `update conversations set merged_into_id = '${there.conversationId}' where id = '${here.conversationId}'`,
      constraint: 'conversations_workspace_id_merged_into_id_fkey',
    },
    {
      what: 'its messages',
      sql: (here, there) =>
        `update messages set conversation_id = '${there.conversationId}' where id = '${here.messageId}'`,
      constraint: 'messages_workspace_id_conversation_id_fkey',
    },
  ];
}

function duplicates(): Impossible[] {
  return [
    {
      what: 'two contacts with one address in a workspace',
      sql: (here) => `insert into contacts (id, workspace_id, email)
       select gen_random_uuid(), workspace_id, email from contacts where id = '${here.contactId}'`,
      constraint: 'contacts_workspace_id_email_key',
    },
    {
      what: 'a company that two workspaces share',
      sql: (
        here,
        there,
      ) => `update contacts set company_id = (select company_id from contacts where id = '${there.contactId}')
       where id = '${here.contactId}'`,
      constraint: 'contacts_workspace_id_company_id_fkey',
    },
    {
      what: 'two teams of one name, whatever the case',
      sql: (here) =>
        `insert into teams (id, workspace_id, name) values (gen_random_uuid(), '${here.workspaceId}', 'SUPPORT')`,
      constraint: 'teams_name_key',
    },
    {
      what: 'two default mailboxes in a workspace',
      sql: (here) => `insert into mailboxes (id, workspace_id, address, name, is_default)
       values (gen_random_uuid(), '${here.workspaceId}', 'other@acme.test', 'Other', true)`,
      constraint: 'mailboxes_one_default',
    },
    {
      what: 'one mailbox address in two workspaces',
      sql: (here, there) => `insert into mailboxes (id, workspace_id, address, name)
       select gen_random_uuid(), '${there.workspaceId}', address, name from mailboxes
       where workspace_id = '${here.workspaceId}'`,
      constraint: 'mailboxes_address_key',
    },
    {
      what: 'two slots of one kind in a workspace',
      sql: (here) => `insert into integrations (id, workspace_id, kind, name)
       values (gen_random_uuid(), '${here.workspaceId}', 'automation', 'Again')`,
      constraint: 'integrations_workspace_id_kind_key',
    },
    {
      what: 'two refresh tokens of a connection',
      sql: (here) =>
        `insert into refresh_tokens (token_hash, connection_id) values ('\\x00', '${here.connectionId}')`,
      constraint: 'refresh_tokens_connection_id_key',
    },
    {
      what: 'two deliveries of an event to a hook',
      sql: (here) => `insert into deliveries (id, workspace_id, event_id, hook_id, next_attempt_at)
       values (gen_random_uuid(), '${here.workspaceId}', '${here.eventId}', '${here.hookId}', now())`,
      constraint: /deliveries_\d+_pkey/,
    },
    {
      what: 'two results of one attempt',
      sql: (here) => `insert into attempts (event_id, delivery_id, number, outcome, started_at, duration_ms)
       values ('${here.eventId}', '${here.deliveryId}', 1, 'delivered', now(), 1)`,
      constraint: /attempts_\d+_pkey/,
    },
    {
      what: 'one tag twice on a conversation',
      sql: (here) => `insert into conversation_tags (conversation_id, workspace_id, key, name)
       values ('${here.conversationId}', '${here.workspaceId}', 'vip', 'vip')`,
      constraint: 'conversation_tags_pkey',
    },
    {
      what: 'one note twice for a command run',
      sql: (
        here,
      ) => `insert into notes (id, workspace_id, conversation_id, author_kind, content, command_run_id)
       values (gen_random_uuid(), '${here.workspaceId}', '${here.conversationId}', 'automatic', 'x', '${here.runId}')`,
      constraint: 'notes_workspace_id_command_run_id_key',
    },
  ];
}

function foreignRows(): Impossible[] {
  return [
    {
      what: 'a delivery of one’s event to the other’s hook',
      sql: (here, there) => `insert into deliveries (id, workspace_id, event_id, hook_id, next_attempt_at)
       values (gen_random_uuid(), '${here.workspaceId}', '${here.eventId}', '${there.hookId}', now())`,
      constraint: 'deliveries_workspace_id_hook_id_fkey',
    },
    {
      what: 'a hook in one on the other’s connection',
      sql: (here, there) => `insert into hooks (id, workspace_id, connection_id, event, target_url)
       values (gen_random_uuid(), '${here.workspaceId}', '${there.connectionId}', 'contact.created', 'https://a.test')`,
      constraint: 'hooks_workspace_id_connection_id_fkey',
    },
  ];
}
