import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { linkFiles } from '#server/inbox/files/link-files.ts';
import { getConversation } from '#server/screens/inbox/get-conversation.ts';
import { THREAD_PAGE } from '#server/screens/inbox/read-thread.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';
import { at, test } from '#test/fixtures/thread-test.ts';

describe('an email in the thread', () => {
  test('lists its recipients besides the contact, including Bcc', async ({
    thread: { addMessage, open },
  }) => {
    await addMessage({ cc: ['bob@example.com'], bcc: ['boss@example.com'], createdAt: at(1) });
    const to = ['support@acme.test', 'bob@example.com'];
    await addMessage({ direction: 'inbound', authorKind: 'contact', mailTo: to, createdAt: at(2) });
    expect((await open())?.items).toMatchObject([
      { recipients: { to: [], cc: ['bob@example.com'], bcc: ['boss@example.com'] } },
      { recipients: { to, cc: [], bcc: [] } },
    ]);
  });

  test('lists no recipients when only the mailbox or the contact received it', async ({
    thread: { addMessage, open },
  }) => {
    await addMessage({ createdAt: at(1) });
    await addMessage({
      direction: 'inbound',
      authorKind: 'contact',
      mailTo: ['support@acme.test'],
      createdAt: at(2),
    });
    expect((await open())?.items).toMatchObject([{ recipients: null }, { recipients: null }]);
  });
});

test('a chat message has what it answers, also if that is not stored here', async ({ thread }) => {
  const id = await thread.addMessage({ content: 'x'.repeat(200), createdAt: at(1) });
  const quoted = { author: 'Bob', content: 'Printer', files: 2 };
  for (const context of [{ answersId: id }, { answersId: null, quoted }, { answersId: null }])
    await thread.addMessage({ direction: 'inbound', authorKind: 'contact', context, createdAt: at(2) });
  const items = (await thread.open())?.items.slice(1);
  const answers = items?.map((item) => (item.kind === 'message' ? item.context?.answers : undefined));
  const stored = { id, content: 'x'.repeat(160), author: 'Olivia Owen', isOurs: true, files: 0 };
  expect(answers).toEqual([stored, { id: null, isOurs: false, ...quoted }, null]);
});

describe('a long thread', () => {
  test.for([1, 7, 1_000])(
    'is read backwards completely, with %d items per second',
    async (perSecond, { thread: { fill, allPages } }) => {
      await fill(2 * THREAD_PAGE + 30, perSecond);
      const pages = await allPages();
      expect(pages.map(({ length }) => length)).toEqual([30, THREAD_PAGE, THREAD_PAGE]);
      const items = pages.flat();
      expect(new Set(items.map((item) => item.id)).size).toBe(2 * THREAD_PAGE + 30);
      const order = items.map((item) => `${item.createdAt.toISOString()} ${item.id}`);
      expect(order).toEqual(order.toSorted());
    },
  );

  test('that fits one page has no earlier page', async ({ thread: { fill, open } }) => {
    await fill(THREAD_PAGE);
    expect(await open()).toMatchObject({ earlier: null });
    expect((await open())?.items).toHaveLength(THREAD_PAGE);
  });

  test('keeps its position when something new arrives between two pages', async ({
    thread: { fill, open, addMessage, earlier },
  }) => {
    await fill(THREAD_PAGE + 5);
    const first = await open();
    await addMessage();
    const page = await earlier(first?.earlier ?? '');
    expect(page).toMatchObject({ earlier: null });
    expect(page?.items).toHaveLength(5);
  });

  test('misses no item when timestamps differ by microseconds', async ({
    conversation,
    thread: { fill, addMessage, open, earlier },
  }) => {
    await fill(THREAD_PAGE);
    const ids = [await addMessage({ content: 'first' }), await addMessage({ content: 'second' })];
    for (const [index, messageId] of ids.entries()) {
      await db().$executeRaw`
        update messages set created_at = ${at(-1)}::timestamptz + ${index} * interval '1 microsecond'
        where id = ${messageId}::uuid`;
    }
    // The page starts with the later of the two messages.
    await db().timelineEntry.deleteMany({ where: { conversationId: conversation, actorName: '2' } });
    const first = await open();
    expect(first?.items[0]).toMatchObject({ content: 'second' });
    expect((await earlier(first?.earlier ?? ''))?.items).toMatchObject([{ content: 'first' }]);
  });

  test('takes at most two statements to open, however long it is', async ({ thread: { fill, open } }) => {
    await fill(2 * THREAD_PAGE);
    expect((await statementsOf(() => open())).length).toBeLessThanOrEqual(2);
  });
});

describe('an attacker cannot read', () => {
  test('the thread of another workspace’s conversation', async ({
    conversation,
    thread: { fill, open, earlier },
  }) => {
    await fill(THREAD_PAGE + 5);
    const cursor = (await open())?.earlier ?? '';
    const stranger = await makeConnection();
    expect(await earlier(cursor, stranger.workspaceId)).toBeNull();
    expect(await getConversation(db(), { workspaceId: stranger.workspaceId, id: conversation })).toBeNull();
    expect(await open(randomUUID())).toBeNull();
    expect(await open('no id')).toBeNull();
  });

  test.for(['', 'x', '1_2', `9_${'0'.repeat(36)}`, "1'; select 1 --"])(
    'more by the invalid cursor %j, which returns the newest page',
    async (cursor, { thread: { fill, earlier } }) => {
      await fill(3);
      expect((await earlier(cursor))?.items).toHaveLength(3);
    },
  );
});

describe('a message shows', () => {
  test.for([
    [{ sendStatus: 'queued' }, { state: 'on_its_way', sentence: 'Sending' }],
    [{ sendStatus: 'sending' }, { state: 'on_its_way', sentence: 'Sending' }],
    [{ sendStatus: 'sent' }, { state: 'sent', sentence: 'Sent' }],
    [{ sendStatus: 'held_for_paywall' }, { state: 'held', sentence: expect.stringContaining('Growth plan') }],
    [
      { sendStatus: 'failed', deliveryError: 'The 24-hour window is closed.' },
      { state: 'failed', sentence: 'Not delivered. The 24-hour window is closed.' },
    ],
    [
      { sendStatus: 'failed' },
      { state: 'failed', sentence: 'Not delivered. This message could not be sent.' },
    ],
    [{ sendStatus: null }, null],
    [{ direction: 'inbound', authorKind: 'contact', authorName: null }, null],
  ] as const)('for %j: %j', async ([columns, sending], { thread: { addMessage, open } }) => {
    await addMessage(columns);
    expect((await open())?.items).toMatchObject([{ kind: 'message', sending }]);
  });

  test('its files by name and size without their content, and the number of files that are not stored here', async ({
    connection,
    thread: { addMessage, open },
  }) => {
    const messageId = await addMessage({ content: '', attachmentsCount: 3 });
    const { workspaceId } = connection;
    const files = [
      await storeBytes(workspaceId, {
        name: 'a.png',
        content: '\x89PNG\r\n\x1a\n',
        contentType: 'image/png',
      }),
      await storeBytes(workspaceId, { name: 'b.pdf', content: 'a pdf', contentType: 'application/pdf' }),
    ];
    await inTransaction((tx) => linkFiles(tx, { workspaceId, messageId, files, now: new Date() }));
    const [item] = (await open())?.items ?? [];
    expect(item).toMatchObject({ content: '', filesElsewhere: 1 });
    expect(item?.kind === 'message' && item.attachments).toEqual([
      { id: expect.any(String), name: 'a.png', contentType: 'image/png', sizeBytes: 8 },
      { id: expect.any(String), name: 'b.pdf', contentType: 'application/pdf', sizeBytes: 5 },
    ]);
  });

  test.for([
    ['ai_agent', 'AI agent', true],
    ['flow', 'Automation', true],
    ['automatic', 'Automatic message', true],
    ['contact', null, false],
  ] as const)(
    '%s as its author',
    async ([authorKind, authorName, isAutomatic], { thread: { addMessage, open } }) => {
      const direction = authorKind === 'contact' ? 'inbound' : 'outbound';
      await addMessage({ authorKind, authorName: null, direction });
      expect((await open())?.items).toMatchObject([{ authorName, isAutomatic }]);
    },
  );
});

test('a teammate who takes over a conversation is named once', async ({
  connection,
  conversation,
  thread: { open },
}) => {
  const { id: userId, name } = connection.teammate;
  await db().timelineEntry.create({
    data: {
      workspaceId: connection.workspaceId,
      conversationId: conversation,
      kind: 'assigned',
      actorKind: 'teammate',
      actorId: userId,
      actorName: name,
      data: { assigneeId: userId, assigneeName: name },
    },
  });
  expect((await open())?.items).toMatchObject([{ sentence: 'Olivia Owen took this conversation' }]);
});

test.for([
  ['contact_wrote', 'Reopened because Walt Winter wrote'],
  ['other_wrote', 'Reopened because a message arrived'],
  ['answer_failed', 'Reopened because the answer was not sent'],
  ['stayed_solved', 'Closed because it stayed solved'],
  [undefined, 'The service changed the status from solved to open'],
] as const)(
  'a status that changed by itself says why (%s)',
  async ([because, sentence], { connection, conversation, thread: { open } }) => {
    await db().contact.updateMany({ data: { firstName: 'Walt', lastName: 'Winter' } });
    await db().timelineEntry.create({
      data: {
        workspaceId: connection.workspaceId,
        conversationId: conversation,
        kind: 'status_changed',
        actorKind: 'automatic',
        data: { from: 'solved', to: 'open', ...(because ? { because } : {}) },
      },
    });
    expect((await open())?.items).toMatchObject([{ sentence }]);
  },
);

test.for([
  [
    'automatic',
    ['nora@winter.test', 'b@acme.test'],
    'Replies go to nora@winter.test, b@acme.test, as their email asked',
  ],
  ['contact', [], 'Replies go to Walt Winter again'],
  ['teammate', ['nora@winter.test'], 'Olivia Owen chose nora@winter.test for replies'],
] as const)(
  'a change of who gets replies says who chose it (%s)',
  async ([actorKind, addresses, sentence], { connection, conversation, thread: { open } }) => {
    await db().contact.updateMany({ data: { firstName: 'Walt', lastName: 'Winter' } });
    const actorName = actorKind === 'teammate' ? connection.teammate.name : null;
    await db().timelineEntry.create({
      data: {
        workspaceId: connection.workspaceId,
        conversationId: conversation,
        kind: 'reply_address_set',
        actorKind,
        actorName,
        data: { addresses: [...addresses] },
      },
    });
    expect((await open())?.items).toMatchObject([{ sentence }]);
  },
);

test('an entry of an unknown kind has a general description', async ({
  connection,
  conversation,
  thread: { open },
}) => {
  await db().timelineEntry.create({
    data: {
      workspaceId: connection.workspaceId,
      conversationId: conversation,
      kind: 'robot',
      actorKind: 'automatic',
    },
  });
  expect((await open())?.items).toMatchObject([
    { sentence: 'The service changed this conversation', quote: null, score: null, other: null },
  ]);
});

test('only the newest SLA clock of each kind is shown', async ({
  connection,
  conversation,
  thread: { open },
}) => {
  const clock = (kind: 'first_response' | 'resolution', second: number, stoppedAt: Date | null = null) => ({
    workspaceId: connection.workspaceId,
    conversationId: conversation,
    kind,
    startedAt: at(second),
    dueAt: at(second + 60),
    stoppedAt,
  });
  await db().slaClock.createMany({
    data: [clock('first_response', 0), clock('resolution', 0, at(30)), clock('resolution', 100)],
  });
  const clocks = (await open())?.clocks ?? [];
  expect(clocks.map(({ kind, dueAt }) => [kind, dueAt])).toEqual([
    ['first_response', at(60)],
    ['resolution', at(160)],
  ]);
});
