import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { processUpdates, retryUpdate } from '#server/inbox/provider-updates/process-updates.ts';
import { replayUpdates } from '#server/inbox/provider-updates/store-update.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import {
  ADA,
  accountOf,
  botApi,
  messageOf,
  messagesOf,
  nextId,
  test,
  updateOf,
  updatesOf,
} from '#test/fixtures/telegram-test.ts';

describe('a person on Telegram', () => {
  test('becomes a contact with a conversation, and three events are recorded', async ({ telegram }) => {
    const bot = await telegram.connectBot();
    await makeConnection({ workspaceId: bot.workspaceId, teammate: bot.by });
    await telegram.receive(bot, updateOf());
    const events = await recordedEvents(bot.workspaceId);
    expect(events.map(({ event }) => event)).toEqual([
      'contact.created',
      'conversation.created',
      'message.received',
    ]);
    const [message] = await messagesOf(bot);
    expect(message).toMatchObject({ content: 'Where is my order?', direction: 'inbound', authorName: null });
    const conversation = await db().conversation.findFirstOrThrow({
      where: { workspaceId: bot.workspaceId },
      include: { contact: { include: { identities: true } } },
    });
    expect(conversation).toMatchObject({
      channel: 'telegram',
      channelAccountId: bot.id,
      externalThreadId: '4711',
      contact: { firstName: 'Ada', lastName: 'Lovelace', phone: null, email: null },
    });
    expect(conversation.contact?.identities).toMatchObject([
      { channel: 'telegram', externalId: '4711', scope: '' },
    ]);
    expect((await accountOf(bot)).lastReceivedAt).not.toBeNull();
  });

  test('is recognized by the Telegram id, and the team’s changes to the contact stay', async ({
    telegram,
  }) => {
    const bot = await telegram.connectBot();
    await telegram.receive(bot, updateOf());
    const { contactId } = await db().contactIdentity.findFirstOrThrow({
      where: { workspaceId: bot.workspaceId },
    });
    await db().contact.update({ where: { id: contactId }, data: { firstName: 'Countess', lastName: null } });
    await db().conversation.updateMany({ where: { contactId }, data: { status: 'closed' } });
    await telegram.receive(bot, updateOf({ from: { ...ADA, first_name: 'Augusta' } }));
    const conversations = await db().conversation.findMany({ where: { workspaceId: bot.workspaceId } });
    expect(conversations.map((each) => each.contactId)).toEqual([contactId, contactId]);
    expect(await db().contact.findUniqueOrThrow({ where: { id: contactId } })).toMatchObject({
      firstName: 'Countess',
    });
    expect(await db().contactIdentity.findMany({ where: { contactId } })).toMatchObject([
      { name: 'Augusta Lovelace' },
    ]);
  });

  test('who shares their number is linked to the contact with that number', async ({ telegram }) => {
    const bot = await telegram.connectBot();
    const { workspaceId } = bot;
    const known = await db().contact.create({
      data: { workspaceId, firstName: 'A. Lovelace', phone: '+44 20 7946', phoneDigits: '44207946' },
    });
    const contact = { phone_number: '44207946', first_name: 'Ada', user_id: ADA.id };
    await telegram.receive(bot, updateOf({ text: undefined, contact }));
    expect(await db().contactIdentity.findMany({ where: { workspaceId } })).toMatchObject([
      { contactId: known.id },
    ]);
  });

  test('who shares another person’s card is not linked to that contact', async ({ telegram }) => {
    const bot = await telegram.connectBot();
    const { workspaceId } = bot;
    await db().contact.create({ data: { workspaceId, firstName: 'Bob', phone: '555', phoneDigits: '555' } });
    await telegram.receive(
      bot,
      updateOf({ text: undefined, contact: { phone_number: '555', first_name: 'Bob', user_id: 1 } }),
    );
    const [identity] = await db().contactIdentity.findMany({
      where: { workspaceId },
      include: { contact: true },
    });
    expect(identity?.contact).toMatchObject({ firstName: 'Ada', phone: null });
  });

  test('who sends a photo has it fetched from Telegram and stored', async ({ provider, telegram }) => {
    const bot = await telegram.connectBot();
    const picture = Buffer.from('ffd8ffe000104a46494600', 'hex');
    provider.respond((asked) =>
      asked.path === `/file/bot${bot.botToken}/photos/large.jpg`
        ? { bytes: picture }
        : { json: botApi(asked) ?? {} },
    );
    const photo = [
      { file_id: 'small', file_unique_id: 's', width: 90, height: 90 },
      { file_id: 'large', file_unique_id: 'l', width: 900, height: 900 },
    ];
    await telegram.receive(bot, updateOf({ text: undefined, photo, caption: 'Broken' }));
    const [message] = await messagesOf(bot);
    expect(message).toMatchObject({ content: 'Broken', attachmentsCount: 1 });
    expect(message?.attachments).toMatchObject([
      { name: 'photo.jpg', contentType: 'image/jpeg', sizeBytes: picture.length },
    ]);
  });

  test('whose file has a path outside of its folder is received without the file', async ({
    provider,
    telegram,
  }) => {
    const bot = await telegram.connectBot();
    provider.respond((asked) =>
      asked.path.endsWith('/getFile')
        ? { json: { ok: true, result: { file_id: 'x', file_path: '../../bot1:x/getMe' } } }
        : { json: botApi(asked) ?? {} },
    );
    await telegram.receive(
      bot,
      updateOf({ document: { file_id: 'x', file_unique_id: 'x', file_name: 'bill.pdf' } }),
    );
    const [message] = await messagesOf(bot);
    expect(message?.content).toContain('Where is my order?\n\n[The file “bill.pdf” is missing');
    expect(provider.calls.at(-1)?.path).toMatch(/getFile$/);
  });

  test.for<[string, object, string]>([
    ['a poll', { poll: { id: '1', question: 'Which day?', options: [] } }, '[Poll: Which day?]'],
    ['a checklist', { checklist: { title: 'Parts', tasks: [] } }, '[Checklist: Parts]'],
    ['a die', { dice: { emoji: '🎲', value: 4 } }, '[Dice: 🎲 4]'],
    [
      'a story',
      { story: { chat: { id: 5, type: 'private' }, id: 7 } },
      '[The contact sent something that cannot be shown here: story.]',
    ],
    [
      'something of a later version',
      { hologram: {}, has_protected_content: true },
      '[The contact sent something that cannot be shown here: hologram.]',
    ],
    [
      'a place',
      { venue: { title: 'Café', address: 'Mill Lane 7' }, location: { latitude: 1.5, longitude: 2 } },
      'Location: Café, Mill Lane 7, 1.5, 2',
    ],
    [
      'a link behind words',
      {
        text: '🎲 see here, and there',
        entities: [
          { type: 'text_link', offset: 7, length: 4, url: 'https://vogel.example/7' },
          { type: 'bold', offset: 0, length: 2 },
          { type: 'text_link', offset: 17, length: 5, url: 'https://vogel.example/8' },
        ],
      },
      '🎲 see here [https://vogel.example/7], and there [https://vogel.example/8]',
    ],
    [
      'the message of a person',
      {
        text: 'I will pay',
        forward_origin: { type: 'user', date: 1, sender_user: { id: 9, is_bot: false, first_name: 'Max' } },
      },
      '[Forwarded from Max]\nI will pay',
    ],
    [
      'a poll of a channel',
      {
        poll: { question: 'Which day?' },
        forward_origin: { type: 'channel', date: 1, chat: { title: 'News' }, message_id: 1 },
      },
      '[Forwarded from News]\n[Poll: Which day?]',
    ],
  ])('who sends %s is understood', async ([_what, fields, content], { telegram }) => {
    const bot = await telegram.connectBot();
    await telegram.receive(bot, updateOf({ text: undefined, ...fields }));
    expect(await messagesOf(bot)).toMatchObject([{ content }]);
  });

  test.for(['pinned_message', 'new_chat_members', 'message_auto_delete_timer_changed', 'video_chat_started'])(
    'sends nothing with a notice of Telegram: %s',
    async (notice, { telegram }) => {
      const bot = await telegram.connectBot();
      await telegram.receive(bot, updateOf({ text: undefined, [notice]: {} }));
      expect(await messagesOf(bot)).toEqual([]);
    },
  );

  test.for(['my report.pdf', 'Übersicht.pdf', 'a(1)#2.pdf', '100 %.pdf'])(
    'whose file is named %s has it fetched and stored',
    async (name, { provider, telegram }) => {
      const bot = await telegram.connectBot();
      provider.respond((asked) => {
        if (asked.path.endsWith('/getFile'))
          return { json: { ok: true, result: { file_path: `documents/${name}` } } };
        const isFile = asked.path === `/file/bot${bot.botToken}/documents/${encodeURIComponent(name)}`;
        return isFile ? { bytes: Buffer.from('%PDF-1.4') } : { json: botApi(asked) ?? {} };
      });
      const document = { file_id: 'x', file_unique_id: 'x', file_name: name };
      await telegram.receive(bot, updateOf({ text: undefined, document }));
      expect((await messagesOf(bot))[0]?.attachments).toMatchObject([{ name, sizeBytes: 8 }]);
    },
  );

  test('who edits a message updates the thread, and a late, older edit changes nothing', async ({
    telegram,
  }) => {
    const bot = await telegram.connectBot();
    const message = messageOf();
    await telegram.receive(bot, { update_id: nextId(), message });
    const edited = (text: string, edit_date: number) => ({
      update_id: nextId(),
      edited_message: { ...message, text, edit_date },
    });
    await telegram.receive(bot, edited('Where is order 7?', 1_700_000_100));
    await telegram.receive(bot, edited('Where is order 6?', 1_700_000_050));
    expect(await messagesOf(bot)).toMatchObject([
      { content: 'Where is order 7?', editedAt: new Date(1_700_000_100_000) },
    ]);
  });

  test('who edits a message updates the thread, even when the edit arrives before the message', async ({
    telegram,
  }) => {
    const bot = await telegram.connectBot();
    const message = messageOf();
    await telegram.receive(bot, {
      update_id: nextId(),
      edited_message: { ...message, text: 'Edited', edit_date: 1_700_000_100 },
    });
    expect(await messagesOf(bot)).toEqual([]);
    await telegram.receive(bot, { update_id: nextId(), message });
    const [waiting] = await db().inboundUpdate.findMany({ where: { accountId: bot.id, processedAt: null } });
    await retryUpdate(waiting?.id ?? '');
    expect(await messagesOf(bot)).toMatchObject([{ content: 'Edited' }]);
  });

  test.for([
    ['a group', { chat: { id: -1, type: 'group' } }],
    ['another bot', { from: { ...ADA, is_bot: true } }],
    ['a service message', { text: undefined, pinned_message: {} }],
  ] as const)('is not created as a contact from %s', async ([_what, input], { telegram }) => {
    const bot = await telegram.connectBot();
    await telegram.receive(bot, updateOf(input));
    expect(await messagesOf(bot)).toEqual([]);
    expect(await db().contact.count({ where: { workspaceId: bot.workspaceId } })).toBe(0);
  });
});

describe('a message is received once', () => {
  test('when Telegram sends its update three times', async ({ telegram }) => {
    const bot = await telegram.connectBot();
    const update = updateOf();
    for (let time = 0; time < 3; time += 1) await telegram.receive(bot, update);
    expect(await messagesOf(bot)).toHaveLength(1);
  });

  test('when Telegram sends its update ten times in parallel, and two workers process it', async ({
    telegram,
  }) => {
    const bot = await telegram.connectBot();
    const update = updateOf();
    const statuses = await Promise.all(Array.from({ length: 10 }, () => telegram.call(bot, update)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    await Promise.all([processUpdates(bot.id), processUpdates(bot.id)]);
    expect(await messagesOf(bot)).toHaveLength(1);
    expect(await updatesOf(bot)).toHaveLength(1);
  });

  test('when the first messages of three people are repeated in another order', async ({ telegram }) => {
    const bot = await telegram.connectBot();
    const updates = [1, 2, 3].flatMap((id) => [
      updateOf({ from: { ...ADA, id }, chat: { id, type: 'private' } }),
    ]);
    for (const update of [...updates, ...updates.toReversed()]) await telegram.receive(bot, update);
    expect(await messagesOf(bot)).toHaveLength(3);
    expect(await db().contact.count({ where: { workspaceId: bot.workspaceId } })).toBe(3);
  });

  test('when an operator replays its update', async ({ telegram }) => {
    const bot = await telegram.connectBot();
    await telegram.receive(bot, updateOf());
    await db().inboundUpdate.updateMany({ where: { accountId: bot.id }, data: { error: 'A fault.' } });
    expect(await replayUpdates({ workspaceId: bot.workspaceId, accountId: bot.id })).toBe(1);
    await processUpdates(bot.id);
    expect(await messagesOf(bot)).toHaveLength(1);
    expect(await updatesOf(bot)).toMatchObject([{ processedAt: expect.any(Date), error: null }]);
  });
});
