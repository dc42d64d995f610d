import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { signUploaded } from '#server/inbox/files/uploaded-file.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';
import { makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';

// A page that lost a response repeats its request with the same id.

const test = screensTest
  .extend('screens', ({ screensOf }) => screensOf('agent'))
  .extend('stranger', async () => {
    const { workspaceId, owner } = await makeTeammates();
    const screens = await (await signInTeammate(owner))();
    return { workspaceId, owner, screens };
  });

test('a repeated request adds a note and notifies once, in sequence and in parallel', async ({
  teammates,
  screens,
  conversation: conversationId,
}) => {
  const note = { conversationId, id: randomUUID(), content: '@Adam Admin please look' };
  await twiceInParallelThenAgain(() => screens.notes.add(note));
  expect(await db().note.findMany({ where: { conversationId } })).toMatchObject([
    { id: note.id, content: note.content },
  ]);
  const { id: userId } = teammates.admin;
  expect(await db().notification.count({ where: { conversationId, userId } })).toBe(1);
});

test('a repeated request runs a command once, in sequence and in parallel', async ({
  workspaceId,
  screens,
  connection,
  conversation: conversationId,
}) => {
  const hook = await makeHook(connection, { event: 'operator.command' });
  const run = { conversationId, id: randomUUID(), command: 'refund', arguments: 'order 1042' };
  const result = { runId: run.id };
  expect(await twiceInParallelThenAgain(() => screens.commands.run(run))).toEqual([result, result, result]);
  await db().hook.delete({ where: { id: hook.id } });
  expect(await screens.commands.run(run), 'after its workflow was turned off').toEqual(result);
  expect(await db().commandRun.count({ where: { workspaceId } })).toBe(1);
  expect(await db().note.count({ where: { conversationId } })).toBe(1);
  expect(await recordedEvents(workspaceId)).toMatchObject([{ id: run.id, event: 'operator.command' }]);
});

test('a repeated request forwards a message once, in sequence and in parallel', async ({
  workspaceId,
  screens,
  conversation: conversationId,
}) => {
  const messageId = await makeMessage({ workspaceId, conversationId });
  const forward = { conversationId, messageId, id: randomUUID(), to: 'supplier@example.com', note: '' };
  await twiceInParallelThenAgain(() => screens.composer.forward(forward));
  expect(await db().message.findMany({ where: { forwardedId: messageId } })).toMatchObject([
    { id: forward.id, sendStatus: 'queued' },
  ]);
  expect(await sendJobsOf(forward.id)).toBe(1);
});

test.for(['with a file', 'without files'])(
  'a repeated request starts a conversation %s once, in sequence and in parallel',
  async (how, { workspaceId, screens }) => {
    const files = how === 'with a file' ? [signUploaded(workspaceId, await storeBytes(workspaceId))] : [];
    const mail = { ...newMail(), id: randomUUID(), files };
    const result = { id: mail.id };
    expect(await twiceInParallelThenAgain(() => screens.conversations.create(mail))).toEqual([
      result,
      result,
      result,
    ]);
    expect(await db().conversation.findMany({ where: { workspaceId } })).toMatchObject([result]);
    expect(await db().contact.count({ where: { workspaceId } })).toBe(1);
    const messages = await db().message.findMany({ where: { workspaceId }, include: { attachments: true } });
    const attachments = files.map(({ id }) => ({ id }));
    expect(messages).toMatchObject([{ content: 'Hi', attachments }]);
  },
);

test('requests with another id, or from a page of an older version, are separate', async ({
  screens,
  conversation: conversationId,
}) => {
  for (const id of [randomUUID(), randomUUID(), undefined, undefined]) {
    await screens.notes.add({ conversationId, id, content: 'Hello' });
  }
  expect(await db().note.count({ where: { conversationId } })).toBe(4);
});

test('an id costs the first request no statement', async ({ screens, conversation: conversationId }) => {
  const add = (id?: string) =>
    statementsOf(() => screens.notes.add({ conversationId, id, content: 'Hello' }));
  await add();
  expect((await add(randomUUID())).length).toBeLessThanOrEqual((await add()).length);
});

test('an attacker cannot reach or repeat rows of another workspace by their ids', async ({
  workspaceId,
  screens,
  connection,
  conversation,
  stranger,
}) => {
  await makeHook(connection, { event: 'operator.command' });
  await makeHook(await connectionOf(stranger), { event: 'operator.command' });
  const message = await makeMessage({ workspaceId, conversationId: conversation });
  const noteId = randomUUID();
  await screens.notes.add({ conversationId: conversation, id: noteId, content: 'Secret' });
  const { runId } = await screens.commands.run({
    conversationId: conversation,
    command: 'refund',
    arguments: '',
  });
  const before = await everythingIn(workspaceId);

  const conversationId = await makeConversation({
    workspaceId: stranger.workspaceId,
    teammate: stranger.owner,
  });
  const messageId = await makeMessage({ workspaceId: stranger.workspaceId, conversationId });
  const { notes, commands, composer, conversations } = stranger.screens;
  const mail = newMail();
  const tries = [
    () => notes.add({ conversationId, id: noteId, content: 'Hello' }),
    () => commands.run({ conversationId, id: runId, command: 'refund', arguments: '' }),
    () => composer.forward({ conversationId, messageId, id: message, to: 'a@example.com', note: '' }),
    () => conversations.create({ ...mail, id: conversation }),
  ];
  for (const attempt of tries) await expect(attempt()).rejects.toMatchObject(REFUSED);
  expect(await everythingIn(workspaceId)).toEqual(before);
  expect(await recordedEvents(stranger.workspaceId)).toEqual([]);
  expect(await db().contact.count({ where: { email: mail.to_email } })).toBe(0);
});

test('an attacker cannot claim another teammate’s note by its id', async ({
  screensOf,
  screens,
  conversation: conversationId,
}) => {
  const note = { conversationId, id: randomUUID(), content: 'Call back' };
  await screens.notes.add(note);
  const other = await screensOf('admin');
  await expect(other.notes.add({ ...note, content: 'Forged' })).rejects.toMatchObject(REFUSED);
  expect(await db().note.findMany({ where: { conversationId } })).toMatchObject([{ content: 'Call back' }]);
});

const REFUSED = {
  cause: {
    refusal: 'invalid',
    message: 'This could not be saved under its id. Reload the page and try again.',
  },
};

/** Returns the results of two simultaneous requests and of a later one. */
async function twiceInParallelThenAgain<T>(request: () => Promise<T>): Promise<T[]> {
  const both = await Promise.all([request(), request()]);
  return [...both, await request()];
}

const newMail = () => ({
  to_email: `${randomUUID()}@example.com`,
  to_name: '',
  subject: 'Hello',
  content: 'Hi',
});

async function makeMessage(of: { workspaceId: string; conversationId: string }): Promise<string> {
  const { id } = await db().message.create({
    data: { ...of, direction: 'inbound', authorKind: 'contact', content: 'It is broken.' },
  });
  return id;
}

function connectionOf({ workspaceId, owner }: Pick<Teammates, 'workspaceId' | 'owner'>) {
  return makeConnection({ workspaceId, teammate: owner });
}

async function sendJobsOf(messageId: string): Promise<number> {
  const jobs = await queuedJobs();
  return jobs.filter(({ payload }) => 'messageId' in payload && payload.messageId === messageId).length;
}

async function everythingIn(workspaceId: string) {
  const where = { workspaceId };
  return {
    notes: await db().note.findMany({ where, orderBy: { id: 'asc' } }),
    runs: await db().commandRun.findMany({ where }),
    messages: await db().message.findMany({ where }),
    conversations: await db().conversation.findMany({ where }),
    events: await recordedEvents(workspaceId),
  };
}
