import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { addNote } from '#server/inbox/conversations/add-note.ts';
import { scheduleReply } from '#server/inbox/messages/schedule-reply.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { makeTeammates, type Teammates } from '#test/fixtures/teammates.ts';

const service = withTestService();
let teammates: Teammates;
let connection: Awaited<ReturnType<typeof makeConnection>>;
let conversationId: string;
beforeEach(async () => {
  teammates = await makeTeammates();
  connection = await makeConnection({ workspaceId: teammates.workspaceId, teammate: teammates.owner });
  conversationId = await makeConversation(connection);
});

const schedule = (content: string, id: string = randomUUID()) =>
  scheduleReply({ workspaceId: teammates.workspaceId, conversationId, id, author: teammates.agent, content });
const listen = (command: string | null) =>
  makeHook(connection, { event: 'operator.command', command, filterKey: command });

/** Expects that a reply is not stored, and returns its refusal. */
async function refusedReply(content: string) {
  const refusal = await schedule(content).catch((error: unknown) => error);
  expect(await db().pendingReply.count({ where: { conversationId } })).toBe(0);
  return refusal;
}
const refusal = (sentence: string) => ({ refusal: 'invalid', errors: { content: [sentence] } });
const AS_TEXT = 'To send it as text, start with a space.';

describe('a reply from the inbox that starts with a command', () => {
  test('is refused with the existing commands when no workflow listens for it', async () => {
    await listen('refund');
    await listen('escalate');
    expect(await refusedReply('/refnd order 1042')).toMatchObject(
      refusal(
        `No workflow listens for /refnd, so nothing was sent. The commands are /escalate and /refund. ${AS_TEXT}`,
      ),
    );
  });

  test('is refused when no workflow listens for any command', async () => {
    expect(await refusedReply('/refund')).toMatchObject(
      refusal(
        `No workflow listens for /refund, so nothing was sent. There are no commands in this workspace yet. ${AS_TEXT}`,
      ),
    );
  });

  test('is refused even if a workflow listens for it, because an open page may not know the workflow yet', async () => {
    await listen('refund');
    expect(await refusedReply('/Refund order 1042')).toMatchObject(
      refusal(`/refund is a command, so nothing was sent. Run it with “Run command”. ${AS_TEXT}`),
    );
    await listen(null);
    expect(await refusedReply('/anything')).toMatchObject(
      refusal(`/anything is a command, so nothing was sent. Run it with “Run command”. ${AS_TEXT}`),
    );
  });

  test('is refused whatever follows the slash and a letter or digit', async () => {
    await listen(null);
    for (const content of ['/2fa', '/refund, please', '/Ünknown', '/über-long\n', `/${'x'.repeat(49)}`]) {
      expect(await refusedReply(content)).toMatchObject({
        refusal: 'invalid',
        errors: { content: [expect.stringContaining(AS_TEXT)] },
      });
    }
    expect(await refusedReply('/refund, please')).toMatchObject(
      refusal(`“/refund,” is not a command, so nothing was sent. ${AS_TEXT}`),
    );
  });

  test('is refused with at most ten commands and a shortened quote', async () => {
    for (let number = 10; number < 30; number += 1) await listen(`command-${number}`);
    const long = await refusedReply(`/${'x'.repeat(7_000)}`);
    expect(long).toMatchObject(
      refusal(`“/${'x'.repeat(48)}…” is not a command, so nothing was sent. ${AS_TEXT}`),
    );
    expect((await refusedReply('/refnd')) as Error).toMatchObject({
      message: expect.stringContaining('/command-19 and 10 more. '),
    });
  });

  test('is sent when a space precedes the slash, or no letter or digit follows it', async () => {
    await listen('refund');
    for (const content of [' /refund is what you type', '/', '// a comment', '/ hello', '“/refund”'])
      await schedule(content);
    expect(await db().pendingReply.count({ where: { conversationId } })).toBe(5);
  });

  test('fails when an older version of the service scheduled it', async () => {
    const id = randomUUID();
    await schedule('Hello', id);
    await db().pendingReply.update({ where: { id }, data: { content: '/refnd order 1042' } });
    await sendPendingReply(id);
    expect(await db().message.count({ where: { conversationId } })).toBe(0);
    expect(await db().pendingReply.findUnique({ where: { id } })).toMatchObject({
      problem: expect.stringContaining('No workflow listens for /refnd'),
    });
  });
});

test('a note can start with a command, as only the team reads it', async () => {
  const { workspaceId, agent } = teammates;
  await addNote({
    workspaceId,
    id: conversationId,
    actor: { kind: 'teammate', teammate: agent },
    content: '/refnd?',
  });
  expect(await db().note.findFirst({ where: { conversationId } })).toMatchObject({ content: '/refnd?' });
});

test('a reply through the API is sent even if it starts with a command', async () => {
  const api = apiClient(service.url, connection.accessToken);
  const { status, body } = await api('POST', `/conversations/${conversationId}/replies`, {
    content: '/refnd',
  });
  expect({ status, body }).toMatchObject({ status: 201, body: { content: '/refnd' } });
});
