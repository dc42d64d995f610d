import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { planAndWrite } from '#server/core/database/planned.ts';
import { db } from '#server/core/database/prisma.ts';
import { addNote } from '#server/inbox/conversations/add-note.ts';
import { scheduleReply } from '#server/inbox/messages/schedule-reply.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { test as conversationTest } from '#test/fixtures/conversation-test.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import type { Connected } from '#test/fixtures/fixture-types.ts';
import type { Teammates } from '#test/fixtures/teammates.ts';

const test = conversationTest.extend('connection', ({ teammates: { workspaceId, owner: teammate } }) =>
  makeConnection({ workspaceId, teammate }),
);

describe('a reply from the inbox that starts with a command', () => {
  test('is refused with the existing commands when no workflow listens for it', async ({
    connection,
    teammates,
    conversation: conversationId,
  }) => {
    await listen(connection, 'refund');
    await listen(connection, 'escalate');
    expect(await refusedReply(teammates, conversationId, '/refnd order 1042')).toMatchObject(
      refusal(
        `No workflow listens for /refnd, so nothing was sent. The commands are /escalate and /refund. ${AS_TEXT}`,
      ),
    );
  });

  test('is refused when no workflow listens for any command', async ({
    teammates,
    conversation: conversationId,
  }) => {
    expect(await refusedReply(teammates, conversationId, '/refund')).toMatchObject(
      refusal(
        `No workflow listens for /refund, so nothing was sent. There are no commands in this workspace yet. ${AS_TEXT}`,
      ),
    );
  });

  test('is refused even if a workflow listens for it, because an open page may not know the workflow yet', async ({
    connection,
    teammates,
    conversation: conversationId,
  }) => {
    await listen(connection, 'refund');
    expect(await refusedReply(teammates, conversationId, '/Refund order 1042')).toMatchObject(
      refusal(`/refund is a command, so nothing was sent. Run it with “Run command”. ${AS_TEXT}`),
    );
    await listen(connection, null);
    expect(await refusedReply(teammates, conversationId, '/anything')).toMatchObject(
      refusal(`/anything is a command, so nothing was sent. Run it with “Run command”. ${AS_TEXT}`),
    );
  });

  test('is refused whatever follows the slash and a letter or digit', async ({
    connection,
    teammates,
    conversation: conversationId,
  }) => {
    await listen(connection, null);
    for (const content of ['/2fa', '/refund, please', '/Ünknown', '/über-long\n', `/${'x'.repeat(49)}`]) {
      expect(await refusedReply(teammates, conversationId, content)).toMatchObject({
        refusal: 'invalid',
        errors: { content: [expect.stringContaining(AS_TEXT)] },
      });
    }
    expect(await refusedReply(teammates, conversationId, '/refund, please')).toMatchObject(
      refusal(`“/refund,” is not a command, so nothing was sent. ${AS_TEXT}`),
    );
  });

  test('is refused with at most ten commands and a shortened quote', async ({
    connection,
    teammates,
    conversation: conversationId,
  }) => {
    for (let number = 10; number < 30; number += 1) await listen(connection, `command-${number}`);
    const long = await refusedReply(teammates, conversationId, `/${'x'.repeat(7_000)}`);
    expect(long).toMatchObject(
      refusal(`“/${'x'.repeat(48)}…” is not a command, so nothing was sent. ${AS_TEXT}`),
    );
    expect((await refusedReply(teammates, conversationId, '/refnd')) as Error).toMatchObject({
      message: expect.stringContaining('/command-19 and 10 more. '),
    });
  });

  test('is sent when a space precedes the slash, or no letter or digit follows it', async ({
    connection,
    teammates,
    conversation: conversationId,
  }) => {
    await listen(connection, 'refund');
    for (const content of [' /refund is what you type', '/', '// a comment', '/ hello', '“/refund”'])
      await schedule(teammates, conversationId, content);
    expect(await db().pendingReply.count({ where: { conversationId } })).toBe(5);
  });

  test('fails when an older version of the service scheduled it', async ({
    teammates,
    conversation: conversationId,
  }) => {
    const id = randomUUID();
    await schedule(teammates, conversationId, 'Hello', id);
    await db().pendingReply.update({ where: { id }, data: { content: '/refnd order 1042' } });
    await sendPendingReply(id);
    expect(await db().message.count({ where: { conversationId } })).toBe(0);
    expect(await db().pendingReply.findUnique({ where: { id } })).toMatchObject({
      problem: expect.stringContaining('No workflow listens for /refnd'),
    });
  });
});

test('a note can start with a command, as only the team reads it', async ({
  teammates,
  conversation: conversationId,
}) => {
  const { workspaceId, agent } = teammates;
  await planAndWrite((tx) =>
    addNote(tx, {
      workspaceId,
      id: conversationId,
      actor: { kind: 'teammate', teammate: agent },
      content: '/refnd?',
    }),
  );
  expect(await db().note.findFirst({ where: { conversationId } })).toMatchObject({ content: '/refnd?' });
});

test('a reply through the API is sent even if it starts with a command', async ({
  api,
  conversation: conversationId,
}) => {
  const { status, body } = await api('POST', `/conversations/${conversationId}/replies`, {
    content: '/refnd',
  });
  expect({ status, body }).toMatchObject({ status: 201, body: { content: '/refnd' } });
});

const schedule = (teammates: Teammates, conversationId: string, content: string, id: string = randomUUID()) =>
  scheduleReply({ workspaceId: teammates.workspaceId, conversationId, id, author: teammates.agent, content });

const listen = (connection: Connected, command: string | null) =>
  makeHook(connection, { event: 'operator.command', command, filterKey: command });

/** Expects that a reply is not stored, and returns its refusal. */
async function refusedReply(teammates: Teammates, conversationId: string, content: string) {
  const refusal = await schedule(teammates, conversationId, content).catch((error: unknown) => error);
  expect(await db().pendingReply.count({ where: { conversationId } })).toBe(0);
  return refusal;
}

const refusal = (sentence: string) => ({ refusal: 'invalid', errors: { content: [sentence] } });

const AS_TEXT = 'To send it as text, start with a space.';
