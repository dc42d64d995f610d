import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { getConversation, readEarlier } from '#server/screens/inbox/get-conversation.ts';
import { nameConversations } from '#server/screens/inbox/name-conversations.ts';
import { readThread, THREAD_PAGE } from '#server/screens/inbox/read-thread.ts';
import type { ThreadItem } from '#server/screens/inbox/thread-views.ts';
import { readingOf } from '#test/database/read-plan.ts';
import { type ConversationColumns, makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import type { Connected } from '#test/fixtures/fixture-types.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { at } from '#test/fixtures/thread-test.ts';

/** `two`: conversations of Nora (Email, `nora`) and Luca (Instagram, `luca`), and functions that write in them. */
const test = serviceTest.extend('two', async ({ connection }) => {
  const { workspaceId } = connection;
  const [nora, luca] = await Promise.all([
    of(connection, 'Nora', { channel: 'email' }),
    of(connection, 'Luca', { channel: 'instagram', subject: null }),
  ]);
  const open = async (id: string) => (await getConversation(db(), { workspaceId, id }))?.items ?? [];
  const texts = async (id: string) => (await open(id)).flatMap(textOf);
  return {
    nora,
    luca,
    open,
    texts,
    say: (id: string, content: string, second: number) => say(connection, id, content, second),
  };
});

test('messages and notes of two people are one thread in order, marked with the conversation that they come from', async ({
  connection,
  two: { nora, luca, say, open },
}) => {
  const { workspaceId } = connection;
  await say(nora, 'nora 1', 1);
  await say(luca, 'luca 2', 2);
  await db().note.create({
    data: {
      workspaceId,
      conversationId: luca,
      authorKind: 'teammate',
      authorName: 'Olivia',
      content: 'note 3',
      createdAt: at(3),
    },
  });
  await say(nora, 'nora 4', 4);
  await say(luca, 'luca 5', 5);
  await mergeAs(connection, luca, nora);
  const items = (await open(nora)).filter(({ kind }) => kind !== 'entry');
  const mergedFrom = { id: luca, title: 'Luca', contactName: 'Luca', channel: 'instagram' };
  expect(items).toMatchObject([
    { content: 'nora 1', mergedFrom: null },
    { content: 'luca 2', mergedFrom, fromContact: true },
    { content: 'note 3', mergedFrom },
    { content: 'nora 4', mergedFrom: null },
    { content: 'luca 5', mergedFrom },
  ]);
  // The merged conversation keeps its own thread.
  expect((await open(luca)).flatMap(textOf)).toEqual(['luca 2', 'note 3', 'luca 5']);
});

test('a chain of merges is one thread, and a failed message of a merged conversation can no longer be sent again', async ({
  connection,
  two: { nora, luca, say, texts, open },
}) => {
  const ines = await of(connection, 'Ines', { channel: 'email' });
  await say(luca, 'luca', 1);
  await say(nora, 'nora', 2);
  await say(ines, 'ines', 3);
  await db().message.updateMany({
    where: { conversationId: luca },
    data: { direction: 'outbound', authorKind: 'teammate', authorName: 'Olivia', sendStatus: 'failed' },
  });
  await mergeAs(connection, luca, nora);
  await mergeAs(connection, nora, ines);
  expect(await texts(ines)).toEqual(['luca', 'nora', 'ines']);
  expect(await texts(nora)).toEqual(['nora']);
  expect((await open(luca))[0]).toMatchObject({ sending: { state: 'failed', canSendAgain: true } });
  expect((await open(ines))[0]).toMatchObject({ sending: { state: 'failed', canSendAgain: false } });
});

test('a long merged thread is read backwards completely, without gaps', async ({
  connection,
  two: { nora, luca },
}) => {
  const { workspaceId } = connection;
  const count = THREAD_PAGE + 30;
  for (const [index, conversationId] of [nora, luca].entries())
    await fill(workspaceId, conversationId, { count, index });
  await mergeAs(connection, luca, nora);
  const first = await getConversation(db(), { workspaceId, id: nora });
  const pages = [first?.items ?? []];
  for (let before = first?.earlier ?? null; before !== null; ) {
    const page = await readEarlier(db(), { workspaceId, role: 'viewer', id: nora, before });
    pages.unshift(page?.items ?? []);
    before = page?.earlier ?? null;
  }
  expect(pages.flat().flatMap(textOf)).toEqual(Array.from({ length: 2 * count }, (_, n) => String(n)));
});

test('a deletion hides the messages of merged conversations with the conversation', async ({
  connection,
  two: { nora, luca, say },
}) => {
  await say(luca, 'luca', 1);
  await mergeAs(connection, luca, nora);
  await db().conversation.update({
    where: { id: nora },
    data: { removal: 'deleted', removedAt: new Date() },
  });
  for (const id of [nora, luca])
    expect(await getConversation(db(), { workspaceId: connection.workspaceId, id })).toBeNull();
});

test('the dialog names contacts, channels and addresses, and nothing of another workspace', async ({
  connection,
  two: { nora, luca },
  teammates,
}) => {
  const { workspaceId } = connection;
  await db().contact.updateMany({
    where: { workspaceId, firstName: 'Nora' },
    data: { email: 'nora@xn--mller-kva.test' },
  });
  await db().contact.updateMany({
    where: { workspaceId, firstName: 'Luca' },
    data: { email: null, phone: '+39 1', phoneDigits: '391' },
  });
  const sides = await nameConversations(db(), { workspaceId, ids: [nora, luca] });
  expect(sides.get(nora)).toMatchObject({
    contactName: 'Nora',
    channel: 'email',
    address: 'nora@müller.test',
  });
  expect(sides.get(luca)).toMatchObject({ contactName: 'Luca', channel: 'instagram', address: '+39 1' });
  const elsewhere = await nameConversations(db(), { workspaceId: teammates.workspaceId, ids: [nora, luca] });
  expect([...elsewhere]).toEqual([]);
});

test('a thread of many long merged conversations reads each from the end of its index, in one statement', async ({
  connection,
  two: { nora },
}) => {
  const { workspaceId } = connection;
  const merged = 40;
  const count = 4 * THREAD_PAGE;
  await db().$executeRaw`
    insert into conversations (id, workspace_id, channel, merged_into_id, updated_at)
    select gen_random_uuid(), ${workspaceId}::uuid, 'email', ${nora}::uuid, now() from generate_series(1, ${merged}::int)`;
  await db().$executeRaw`
    insert into messages (id, workspace_id, conversation_id, direction, author_kind, content, created_at)
    select gen_random_uuid(), c.workspace_id, c.id, 'inbound', 'contact', 'Hello', now() - n * interval '1 minute'
    from conversations c cross join generate_series(1, ${count}::int) n where c.merged_into_id = ${nora}::uuid`;
  await db().$executeRaw`analyze messages`;
  await db().$executeRaw`analyze conversations`;
  const { scanned, rows, statements } = await readingOf(() =>
    readThread(db(), { workspaceId, conversationId: nora }),
  );
  expect(statements).toBe(1);
  expect(scanned).not.toContain('messages');
  expect(rows).toBeLessThan((merged + 2) * (THREAD_PAGE + 1) + 500);
  expect(merged * count).toBeGreaterThan(3 * rows);
});

async function of(connection: Connected, firstName: string, columns: ConversationColumns): Promise<string> {
  const contact = await makeContact(connection.workspaceId, { firstName, lastName: null });
  return makeConversation(connection, { contactId: contact.id, ...columns });
}

async function say({ workspaceId }: Connected, conversationId: string, content: string, second: number) {
  await db().message.create({
    data: {
      workspaceId,
      conversationId,
      direction: 'inbound',
      authorKind: 'contact',
      content,
      createdAt: at(second),
    },
  });
}

/** Creates messages with the numbers `index`, `index + 2` … as texts, one each second. */
async function fill(
  workspaceId: string,
  conversationId: string,
  { count, index = 0 }: { count: number; index?: number },
): Promise<void> {
  await db().message.createMany({
    data: Array.from({ length: count }, (_, n) => ({
      workspaceId,
      conversationId,
      direction: 'inbound' as const,
      authorKind: 'contact' as const,
      content: String(2 * n + index),
      createdAt: at(2 * n + index),
    })),
  });
}

function textOf(item: ThreadItem): string[] {
  return item.kind === 'entry' ? [] : [item.content];
}
