import { describe, expect } from 'vitest';
import { removeConversation, restoreConversation } from '#server/inbox/conversations/removal.ts';
import { conversationIdOf, viewOf } from '#test/clients/chat-client.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { test as chatTest } from '#test/fixtures/chat-test.ts';

const test = chatTest
  .extend(
    'remove',
    ({ workspaceId, actor }) =>
      (id: string, to: 'spam' | 'deleted') =>
        removeConversation({ workspaceId, id, to, actor }),
  )
  .extend(
    'restore',
    ({ workspaceId, actor }) =>
      (id: string) =>
        restoreConversation({ workspaceId, id, from: 'deleted', actor }),
  );

describe('the visitor of a deleted chat', () => {
  test('sees nothing of it, downloads none of its files and cannot rate it', async ({
    newVisitor,
    reply,
    setStatus,
    remove,
  }) => {
    const visitor = await newVisitor();
    const files = [new File(['1'], 'note.txt', { type: 'text/plain' })];
    const view = viewOf(await visitor.write({ content: 'Hello', files }));
    const id = conversationIdOf(view);
    const path = `attachments/${view.messages[0]?.attachments[0]?.id}`;
    await reply(id, 'Your code is 1234');
    await setStatus(id, 'solved');
    expect((await visitor.request('GET', path)).status).toBe(200);
    await remove(id, 'deleted');
    expect(await visitor.see()).toMatchObject({ conversationId: null, messages: [], ended: null });
    expect((await visitor.request('GET', path)).status).toBe(404);
    expect((await visitor.post('rating', { score: 5 })).status).toBe(422);
  });

  test('starts a new chat with the next message, as the same contact', async ({ makeWriter, remove }) => {
    const { id, ...visitor } = await makeWriter({ name: 'Ada' });
    await remove(id, 'deleted');
    const view = viewOf(await visitor.write({ content: 'Anyone there?' }));
    expect(view.conversationId).not.toBe(id);
    expect(view.messages.map(({ content }) => content)).toEqual(['Anyone there?']);
  });

  test('sees it again after it is restored', async ({ makeWriter, remove, restore }) => {
    const { id, ...visitor } = await makeWriter();
    await remove(id, 'deleted');
    await restore(id);
    expect((await visitor.see()).conversationId).toBe(id);
  });

  test('that another chat was merged into reads only the other chat', async ({
    makeWriter,
    merge,
    reply,
    remove,
  }) => {
    const { id, ...visitor } = await makeWriter();
    const other = await makeWriter();
    await merge(id, other.id);
    await reply(other.id, 'For both');
    await remove(other.id, 'deleted');
    expect((await visitor.see()).messages.map(({ content }) => content)).toEqual(['Where is my order?']);
    expect((await other.see()).messages).toEqual([]);
  });
});

test('the visitor of a spam chat continues it without noticing, and no event is recorded', async ({
  workspaceId,
  makeWriter,
  remove,
}) => {
  const { id, ...visitor } = await makeWriter();
  await remove(id, 'spam');
  const events = await recordedEvents(workspaceId);
  const view = viewOf(await visitor.write({ content: 'Buy now' }));
  expect(view.conversationId).toBe(id);
  expect(view.messages.map(({ content }) => content)).toEqual(['Where is my order?', 'Buy now']);
  expect(await recordedEvents(workspaceId)).toEqual(events);
});
