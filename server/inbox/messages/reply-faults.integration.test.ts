import { Client } from 'pg';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import type { ApiResponse } from '#test/clients/api-client.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import type { Api } from '#test/fixtures/fixture-types.ts';
import { test as mailTest } from '#test/fixtures/mail-test.ts';
import { until } from '#test/fixtures/until.ts';

const test = mailTest.extend('conversation', ({ connection }) =>
  makeConversation(connection, { assigneeId: null, assignedAt: null }),
);

test('while the mail server is slow, everything is committed and no transaction is open', async ({
  mail,
  api,
  connection,
  conversation: conversationId,
}) => {
  const delay = Promise.withResolvers<void>();
  mail.respond(() => delay.promise);
  const response = reply(api, conversationId);
  await until('the mail server has the mail', () => mail.received.length === 1);

  const other = new Client({ connectionString: settings().DATABASE_URL });
  await other.connect();
  const open = await other.query(
    `select state, query from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
  );
  expect(open.rows).toEqual([]);
  const { rows } = await other.query(
    `select m.content, m.send_status, c.assignee_id, e.key
     from messages m join conversations c on c.id = m.conversation_id
     join events e on e.workspace_id = m.workspace_id
     where m.conversation_id = $1`,
    [conversationId],
  );
  await other.end();
  const assignee_id = connection.teammate.id;
  const key = 'conversation.assigned';
  expect(rows).toEqual([{ content: 'Hello Ada', send_status: 'sending', assignee_id, key }]);
  // The conversation is not locked.
  const tags = { tags: ['VIP'] };
  expect((await api('POST', `/conversations/${conversationId}/tags`, tags)).status).toBe(200);

  delay.resolve();
  expect(await response).toMatchObject(SENT);
  expect(await message(conversationId)).toMatchObject({ sendStatus: 'sent' });
});

test('two parallel replies are each sent once, even if the mail server is slow', async ({
  mail,
  api,
  conversation: conversationId,
}) => {
  const both = Promise.withResolvers<void>();
  mail.respond(() => (mail.received.length === 2 ? both.resolve() : both.promise));
  const responses = await Promise.all([reply(api, conversationId), reply(api, conversationId)]);
  expect(responses).toMatchObject([SENT, SENT]);
  expect(mail.received).toHaveLength(2);
  expect(new Set(mail.received.map(({ email }) => email.messageId)).size).toBe(2);
});

describe('when the outcome cannot be recorded', () => {
  test.beforeAll(async ({ service: _ }) => {
    await db().$executeRaw`
      create function refuse_outcome() returns trigger language plpgsql as
      $$ begin raise exception 'the outcome cannot be recorded'; end $$`;
    await db().$executeRaw`
      create trigger refuse_outcome before update on messages for each row
      when (old.send_status = 'sending' and new.send_status in ('sent', 'failed'))
      execute function refuse_outcome()`;
  });
  test.afterAll(async ({ service: _ }) => {
    await db().$executeRaw`drop trigger refuse_outcome on messages`;
  });

  test('the response reports that the email was sent, and it was sent once', async ({
    mail,
    api,
    conversation: conversationId,
  }) => {
    expect(await reply(api, conversationId)).toMatchObject(SENT);
    expect(await message(conversationId)).toMatchObject({ sendStatus: 'sending' });
    expect(mail.received).toHaveLength(1);
  });

  test('the response reports that the email was refused', async ({
    mail,
    api,
    conversation: conversationId,
  }) => {
    mail.respond(() => {
      throw new Error('No');
    });
    const body = { send_status: 'failed', delivery_error: 'The mail server did not accept the message.' };
    expect(await reply(api, conversationId)).toMatchObject({ status: 201, body });
  });
});

test('a reply that cannot be saved is neither sent nor stored in part', async ({
  mail,
  api,
  conversation: conversationId,
}) => {
  await db().$executeRaw`alter table events rename to events_gone`;
  const { status } = await reply(api, conversationId);
  await db().$executeRaw`alter table events_gone rename to events`;
  expect(status).toBe(500);
  expect(mail.received).toEqual([]);
  expect(await db().message.count({ where: { conversationId } })).toBe(0);
  const conversation = await db().conversation.findUniqueOrThrow({ where: { id: conversationId } });
  expect(conversation).toMatchObject({ assigneeId: null, aiAgentSilenced: false });
});

const reply = (api: Api, conversationId: string): Promise<ApiResponse> =>
  api('POST', `/conversations/${conversationId}/replies`, {
    content: 'Hello Ada',
  });

const message = (conversationId: string) => db().message.findFirstOrThrow({ where: { conversationId } });

const SENT = { status: 201, body: { send_status: 'sent', delivery_error: null } };
