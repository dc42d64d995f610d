import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { endConnection } from '#server/automation/connections/end-connection.ts';
import { unsubscribeHook } from '#server/automation/hooks/remove-hooks.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { ARGUMENTS_MAX_LENGTH, runCommand } from '#server/inbox/commands/run-command.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

describe('running a command is refused for', () => {
  const FORBIDDEN = {
    refusal: 'forbidden',
    message:
      'Only owners, admins and agents of this workspace can run commands. Ask an owner or admin for another role.',
    errors: undefined,
  };
  test.beforeEach(({ connection }) => listen(connection));

  test('a viewer', async ({ connection, conversation }) => {
    const viewer = await makeUser('Vera');
    await addMember(connection.workspaceId, viewer.id, 'viewer');
    expect(await refusedRun(connection, conversation, { operatorId: viewer.id })).toMatchObject(FORBIDDEN);
  });

  test('the owner of another workspace', async ({ connection, conversation }) => {
    const { teammate } = await makeConnection();
    expect(await refusedRun(connection, conversation, { operatorId: teammate.id })).toMatchObject(FORBIDDEN);
  });

  test('a former teammate', async ({ connection, conversation }) => {
    const ben = await makeUser('Ben');
    await addMember(connection.workspaceId, ben.id, 'agent');
    await db().member.deleteMany({ where: { userId: ben.id } });
    expect(await refusedRun(connection, conversation, { operatorId: ben.id })).toMatchObject(FORBIDDEN);
  });

  test('an unknown user, before the command and the conversation are checked', async ({
    connection,
    conversation,
  }) => {
    const input = { operatorId: 'nobody', command: '', conversationId: 'none' };
    expect(await refusedRun(connection, conversation, input)).toMatchObject(FORBIDDEN);
  });
});

describe('input is refused', () => {
  const NAME =
    'The command must start with a letter or digit, contain only letters, digits, - and _, and be at most 48 characters.';
  test.beforeEach(async ({ connection }) => {
    await makeHook(connection, { event: 'operator.command' });
  });

  test.for(['', '/', ' ', '//refund', '-refund', 'two words', 'größe', 'a\0', 'x'.repeat(49)])(
    'when %j is not a command name',
    async (command, { connection, conversation }) => {
      expect(await refusedRun(connection, conversation, { command })).toMatchObject(refusal('command', NAME));
    },
  );

  test.for([
    ['too long', 'x'.repeat(ARGUMENTS_MAX_LENGTH + 1), 'must be at most 2,000 characters.'],
    ['too long, in emoji', '😀'.repeat(ARGUMENTS_MAX_LENGTH + 1), 'must be at most 2,000 characters.'],
    ['U+0000', 'a\0b', 'contains a character that cannot be stored. Remove it.'],
    ['half a surrogate pair', 'a\ud83d', 'contains a character that cannot be stored. Remove it.'],
  ] as const)('when the details are %s', async ([_what, details, problem], { connection, conversation }) => {
    const sentence = `The details (arguments) ${problem}`;
    expect(await refusedRun(connection, conversation, { arguments: details })).toMatchObject(
      refusal('arguments', sentence),
    );
  });

  test('with an error for the name and one for the details', async ({ connection, conversation }) => {
    const refused = await refusedRun(connection, conversation, { command: '?', arguments: '\0' });
    expect(refused).toMatchObject({ errors: { command: [NAME], arguments: [expect.any(String)] } });
  });

  test('but accepted at the maximum lengths', async ({ connection, conversation }) => {
    await runCommand({
      workspaceId: connection.workspaceId,
      conversationId: conversation,
      operatorId: connection.teammate.id,
      command: 'x'.repeat(48),
      arguments: ` ${'😀'.repeat(ARGUMENTS_MAX_LENGTH)} `,
    });
    expect(await db().commandRun.findFirst({ where: { conversationId: conversation } })).toMatchObject({
      arguments: '😀'.repeat(ARGUMENTS_MAX_LENGTH),
    });
  });
});

describe('a command cannot run in', () => {
  test.beforeEach(({ connection }) => listen(connection));

  test.for([
    'a conversation with an invalid id',
    'an unknown conversation',
    'a conversation of another workspace',
  ])('%s', async (what, { connection, conversation }) => {
    const conversationId =
      what === 'a conversation with an invalid id'
        ? 'none'
        : what === 'an unknown conversation'
          ? randomUUID()
          : await makeConversation(await makeConnection());
    expect(await refusedRun(connection, conversation, { conversationId })).toMatchObject({
      refusal: 'not_found',
      message: 'The conversation was not found.',
    });
  });

  test('a merged conversation', async ({ connection, conversation }) => {
    const conversationId = await makeConversation(connection, { mergedIntoId: conversation });
    const sentence = 'This conversation was merged into another one. Use the other conversation instead.';
    expect(await refusedRun(connection, conversation, { conversationId })).toMatchObject(
      refusal('conversation', sentence),
    );
  });

  test('a test conversation with the AI agent', async ({ connection, conversation }) => {
    const conversationId = await makeConversation(connection, { isTest: true });
    const sentence =
      'Commands cannot be run in a test of the AI agent. Run the command in a conversation with a contact.';
    expect(await refusedRun(connection, conversation, { conversationId })).toMatchObject(
      refusal('conversation', sentence),
    );
  });
});

describe('a command that no hook listens for is refused', () => {
  const NOBODY = refusal(
    'command',
    'No workflow listens for /refund, so it was not run. Turn on a workflow that starts with this command, or choose another one.',
  );

  test('when there is no hook', async ({ connection, conversation }) => {
    expect(await refusedRun(connection, conversation)).toMatchObject(NOBODY);
  });

  test('when hooks listen for other commands and other events', async ({ connection, conversation }) => {
    await listen(connection, 'escalate');
    await makeHook(connection, { event: 'conversation.created' });
    await makeHook(connection, { event: 'conversation.tagged', tag: 'refund', filterKey: 'refund' });
    expect(await refusedRun(connection, conversation)).toMatchObject(NOBODY);
  });

  test('when the hook is another workspace’s', async ({ connection, conversation }) => {
    await makeHook(await makeConnection(), { event: 'operator.command' });
    expect(await refusedRun(connection, conversation)).toMatchObject(NOBODY);
  });

  test('when the hook was unsubscribed', async ({ connection, conversation }) => {
    const hook = await listen(connection);
    await unsubscribeHook({ workspaceId: connection.workspaceId, id: hook.id });
    expect(await refusedRun(connection, conversation)).toMatchObject(NOBODY);
  });

  test('when the connection of the hook was disconnected', async ({ connection, conversation }) => {
    await listen(connection);
    await inTransaction((tx) => endConnection(tx, { id: connection.id, reason: 'disconnected' }));
    expect(await refusedRun(connection, conversation)).toMatchObject(NOBODY);
  });

  test('while the teammate who connected it is no longer owner or admin', async ({
    connection,
    conversation,
  }) => {
    await listen(connection);
    const { workspaceId, teammate } = connection;
    const where = { workspaceId, userId: teammate.id };
    await db().member.updateMany({ where, data: { role: 'agent' } });
    expect(await refusedRun(connection, conversation)).toMatchObject(NOBODY);
  });
});

const listen = (connection: Connection, command = 'refund') =>
  makeHook(connection, { event: 'operator.command', command, filterKey: command });

type Run = Parameters<typeof runCommand>[0];

/** Runs a command and returns the refusal; asserts that nothing changed. */
async function refusedRun(connection: Connection, conversation: string, fields: Partial<Run> = {}) {
  const before = await rowsOfWorkspace(connection.workspaceId);
  const refusal = await runCommand({
    workspaceId: connection.workspaceId,
    conversationId: conversation,
    operatorId: connection.teammate.id,
    command: 'refund',
    arguments: '',
    ...fields,
  }).catch((error: unknown) => error);
  expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
  return refusal;
}

const refusal = (field: string, sentence: string) => ({
  refusal: 'invalid',
  message: sentence,
  errors: { [field]: [sentence] },
});

type Connection = Awaited<ReturnType<typeof makeConnection>>;
