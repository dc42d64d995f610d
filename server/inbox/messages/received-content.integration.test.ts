import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { CONTENT_MAX_LENGTH, SUBJECT_MAX_LENGTH } from '#server/inbox/messages/incoming-message.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import type { Connected } from '#test/fixtures/fixture-types.ts';
import { type Incoming, incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { storedConversation } from '#test/fixtures/stored-rows.ts';

describe('content is never refused', () => {
  const contentOf = async (connection: Connected, content: string) => {
    const { messageId } = await receive(connection, { content });
    return (await db().message.findUniqueOrThrow({ where: { id: messageId } })).content;
  };

  test('even if it is empty, for example with only attachments', async ({ connection }) => {
    expect(await contentOf(connection, '')).toBe('');
  });

  test('characters that cannot be stored are replaced', async ({ connection }) => {
    expect(await contentOf(connection, 'a\0b\ud83dc 😀')).toBe('a\ufffdb\ufffdc 😀');
  });

  test('long content is truncated with a note', async ({ connection }) => {
    const long = '😀'.repeat(CONTENT_MAX_LENGTH);
    expect(await contentOf(connection, long)).toBe(long);
    expect(await contentOf(connection, `${long}x`)).toBe(
      `${long}\n\n[Cut here: the message was longer than 50,000 characters.]`,
    );
  });

  test.for<[string | null, string | null]>([
    [null, null],
    ['', null],
    [' \n', null],
    [' Order\0 ', 'Order\ufffd'],
    ['x'.repeat(SUBJECT_MAX_LENGTH + 1), 'x'.repeat(SUBJECT_MAX_LENGTH)],
  ])('a subject is cleaned and truncated: %j', async ([subject, stored], { connection }) => {
    const { conversationId } = await receive(connection, { subject });
    expect((await storedConversation(conversationId)).subject).toBe(stored);
  });
});

const receive = (connection: Connected, fields: Incoming = {}) =>
  receiveMessage(...incoming(connection.workspaceId, fields));
