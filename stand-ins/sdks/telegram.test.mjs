import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Bot, GrammyError, InputFile, InputMediaBuilder, webhookCallback } from 'grammy';
import { Telegraf } from 'telegraf';
import { base64, serve, until, useStandIn } from './stand-in.mjs';

const standIn = useStandIn();
const PERSON = 6_123_456_789;

async function grammy() {
  const account = await standIn.account('telegram');
  const bot = new Bot(account.token, { client: { apiRoot: `${standIn.url}/telegram` } });
  return { account, bot };
}

/** Polls with grammY until `count` updates have arrived. */
async function poll(bot, options, count, whilePolling) {
  const seen = [];
  bot.use((ctx) => void seen.push(ctx.update));
  const running = bot.start({ ...options, onStart: () => void whilePolling?.() });
  await until(`${count} updates arrived`, () => seen.length >= count);
  await bot.stop();
  await running;
  return seen;
}

describe('grammY', () => {
  test('identifies its bot, and reads errors of the Bot API', async () => {
    const { bot } = await grammy();
    await bot.init();
    assert.equal(bot.botInfo.is_bot, true);
    const error = await bot.api.sendMessage(1, 'Hi').catch((fault) => fault);
    assert.ok(error instanceof GrammyError);
    assert.deepEqual([error.error_code, error.description], [400, 'Bad Request: chat not found']);
  });

  test('polls messages with the entities that Telegram finds', async () => {
    const { account, bot } = await grammy();
    await bot.api.deleteWebhook();
    const text = '/start see https://a.example/b?c=1, me@b.example and #tag @somebody';
    const [update] = await poll(bot, {}, 1, () => standIn.write(account, { text }));
    const { message } = update;
    assert.equal(message.text, text);
    assert.deepEqual(
      message.entities.map(({ type, offset, length }) => [type, text.slice(offset, offset + length)]),
      [
        ['bot_command', '/start'],
        ['url', 'https://a.example/b?c=1'],
        ['email', 'me@b.example'],
        ['hashtag', '#tag'],
        ['mention', '@somebody'],
      ],
    );
  });

  test('gets reactions only if it asks for them, and no update that it did not ask for', async () => {
    const { account, bot } = await grammy();
    await bot.api.deleteWebhook();
    const kinds = async (allowed_updates) => {
      await bot.api.getUpdates({ allowed_updates });
      const { messages } = await standIn.write(account, { text: 'Hello' });
      await standIn.act(account, messages[0], { kind: 'edit', text: 'Hello!' });
      await standIn.act(account, messages[0], { kind: 'react', emoji: '👍' });
      const updates = await bot.api.getUpdates();
      await bot.api.getUpdates({ offset: -1 });
      await bot.api.getUpdates({ offset: updates.at(-1).update_id + 1 });
      return updates.map((update) => Object.keys(update)[1]);
    };
    assert.deepEqual(await kinds([]), ['message', 'edited_message']);
    assert.deepEqual(await kinds(['message', 'message_reaction']), ['message', 'message_reaction']);
    // Without the parameter the types stay.
    assert.deepEqual(await kinds(undefined), ['message', 'message_reaction']);
    assert.deepEqual(await kinds(['edited_message']), ['edited_message']);
  });

  test('confirms updates by their offset, and waits for the next', async () => {
    const { account, bot } = await grammy();
    await bot.api.deleteWebhook();
    for (const text of ['one', 'two', 'three']) await standIn.write(account, { text });
    const [first] = await bot.api.getUpdates({ limit: 1 });
    assert.equal(first.message.text, 'one');
    const rest = await bot.api.getUpdates({ offset: first.update_id + 1 });
    assert.deepEqual(
      rest.map(({ message }) => message.text),
      ['two', 'three'],
    );
    assert.deepEqual(
      (await bot.api.getUpdates({ offset: -1 })).map(({ message }) => message.text),
      ['three'],
    );
    const waiting = bot.api.getUpdates({ offset: rest[1].update_id + 1, timeout: 30 });
    await until('it waits', () => new Promise((resolve) => setTimeout(resolve, 100, true)));
    await standIn.write(account, { text: 'four' });
    assert.deepEqual(
      (await waiting).map(({ message }) => message.text),
      ['four'],
    );
    assert.deepEqual(await bot.api.getUpdates({ offset: rest[1].update_id + 100, timeout: 1 }), []);
  });

  test('cannot poll twice, or beside a webhook', async () => {
    const { bot } = await grammy();
    await bot.api.setWebhook('http://127.0.0.1:9/hook');
    await assert.rejects(bot.api.getUpdates(), { error_code: 409, description: /webhook is active/ });
    await bot.api.deleteWebhook();
    const first = bot.api.getUpdates({ timeout: 30 }).catch((fault) => fault);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await bot.api.getUpdates();
    assert.match((await first).description, /terminated by other getUpdates request/);
  });

  test('drops the updates that waited if it asks for that', async () => {
    const { account, bot } = await grammy();
    await bot.api.deleteWebhook();
    await standIn.write(account, { text: 'old' });
    assert.equal((await bot.api.getWebhookInfo()).pending_update_count, 1);
    await bot.api.deleteWebhook({ drop_pending_updates: true });
    assert.deepEqual(await bot.api.getUpdates(), []);
    await standIn.write(account, { text: 'old' });
    const [update] = await poll(bot, { drop_pending_updates: true }, 1, () =>
      standIn.write(account, { text: 'new' }),
    );
    assert.equal(update.message.text, 'new');
  });

  test('receives by webhook with its secret what waited before, in order', async () => {
    const { account, bot } = await grammy();
    await bot.api.deleteWebhook();
    await standIn.write(account, { text: 'waited' });
    const seen = [];
    bot.on('message', (ctx) => void seen.push(ctx.message.text));
    bot.on('message_reaction', (ctx) => void seen.push(ctx.messageReaction.new_reaction[0].emoji));
    const secretToken = 'secret_1-A';
    await using server = await serve(webhookCallback(bot, 'http', { secretToken }));
    await bot.api.setWebhook(server.url, {
      secret_token: secretToken,
      allowed_updates: ['message', 'message_reaction'],
    });
    const info = await bot.api.getWebhookInfo();
    assert.deepEqual([info.url, info.allowed_updates], [server.url, ['message', 'message_reaction']]);
    const { messages } = await standIn.write(account, { text: 'next' });
    await standIn.act(account, messages[0], { kind: 'react', emoji: '👍' });
    assert.deepEqual(seen, ['waited', 'next', '👍']);
  });

  test('sends HTML and Markdown, and sees the text with its entities', async () => {
    const { bot } = await grammy();
    const send = async (text, parse_mode) => {
      const { text: shown, entities = [] } = await bot.api.sendMessage(PERSON, text, { parse_mode });
      return [
        shown,
        ...entities.map(({ type, offset, length }) => `${type} ${shown.slice(offset, offset + length)}`),
      ];
    };
    assert.deepEqual(await send('<b>Ünd <i>so</i></b> &lt;3 <a href="https://a.example">here</a>', 'HTML'), [
      'Ünd so <3 here',
      'bold Ünd so',
      'italic so',
      'text_link here',
    ]);
    assert.deepEqual(
      await send('*Bold _both_* 1\\.5 ||hid|| `a_b` [here](https://a.example)', 'MarkdownV2'),
      [
        'Bold both 1.5 hid a_b here',
        'bold Bold both',
        'italic both',
        'spoiler hid',
        'code a_b',
        'text_link here',
      ],
    );
    assert.deepEqual(await send('*bold* 1.5 [here](https://a.example)', 'Markdown'), [
      'bold 1.5 here',
      'bold bold',
      'text_link here',
    ]);
    assert.deepEqual(await send('<b>as it is</b>', undefined), ['<b>as it is</b>']);
    for (const [text, mode] of [
      ['<b>open', 'HTML'],
      ['<h1>no</h1>', 'HTML'],
      ['1.5', 'MarkdownV2'],
      ['*open', 'Markdown'],
    ])
      await assert.rejects(send(text, mode), { error_code: 400, description: /can't parse entities/ });
  });

  test('sends each kind of file, whatever its content, and finds it again', async () => {
    const { account, bot } = await grammy();
    const file = () => new InputFile(Buffer.from('%PDF'), 'Über uns.pdf');
    const sent = {
      photo: (await bot.api.sendPhoto(PERSON, file(), { caption: 'P' })).photo.at(-1),
      document: (await bot.api.sendDocument(PERSON, file())).document,
      video: (await bot.api.sendVideo(PERSON, file())).video,
      animation: (await bot.api.sendAnimation(PERSON, file())).animation,
      audio: (await bot.api.sendAudio(PERSON, file())).audio,
      voice: (await bot.api.sendVoice(PERSON, file())).voice,
      video_note: (await bot.api.sendVideoNote(PERSON, file())).video_note,
      sticker: (await bot.api.sendSticker(PERSON, file())).sticker,
    };
    for (const [kind, { file_id, file_size }] of Object.entries(sent))
      assert.ok(file_id && file_size === 4, kind);
    assert.equal(sent.document.file_name, 'Über uns.pdf');
    const { file_path } = await bot.api.getFile(sent.document.file_id);
    assert.match(file_path, /^documents\/file_\d+\.pdf$/);
    const path = `${standIn.url}/telegram/file/bot${account.token}/${file_path}`;
    assert.equal(await (await fetch(path)).text(), '%PDF');
    assert.ok((await bot.api.sendDocument(PERSON, sent.document.file_id)).document);
  });

  test('sends and receives albums', async () => {
    const { account, bot } = await grammy();
    const media = [
      InputMediaBuilder.photo(new InputFile(Buffer.from('a'), 'a.jpg'), {
        caption: '<b>Two</b>',
        parse_mode: 'HTML',
      }),
      InputMediaBuilder.video(new InputFile(Buffer.from('b'), 'b.mp4')),
    ];
    const sent = await bot.api.sendMediaGroup(PERSON, media);
    assert.equal(new Set(sent.map(({ media_group_id }) => media_group_id)).size, 1);
    assert.deepEqual(
      [sent[0].caption, sent[0].caption_entities[0].type, 'video' in sent[1]],
      ['Two', 'bold', true],
    );
    await bot.api.deleteWebhook();
    const files = ['a.png', 'b.png'].map((name) => ({ name, type: 'image/png', base64: base64(name) }));
    await standIn.write(account, { text: 'Mine', files });
    const updates = await bot.api.getUpdates();
    assert.deepEqual(
      updates.map(({ message }) => message.caption),
      ['Mine', undefined],
    );
    assert.equal(updates[0].message.media_group_id, updates[1].message.media_group_id);
  });

  test('edits and deletes its messages', async () => {
    const { account, bot } = await grammy();
    const { message_id } = await bot.api.sendMessage(PERSON, 'One');
    const edited = await bot.api.editMessageText(PERSON, message_id, '<b>Two</b>', { parse_mode: 'HTML' });
    assert.deepEqual([edited.text, edited.edit_date > 0], ['Two', true]);
    await assert.rejects(bot.api.editMessageText(PERSON, message_id, 'Two'), /message is not modified/);
    assert.equal(await bot.api.deleteMessage(PERSON, message_id), true);
    await assert.rejects(bot.api.deleteMessage(PERSON, message_id), /message to delete not found/);
    const [{ messages }] = await standIn.chats(account);
    assert.deepEqual([messages[0].text, messages[0].removed], ['Two', true]);
  });
});

describe('Telegraf', () => {
  async function telegraf() {
    const account = await standIn.account('telegram');
    const bot = new Telegraf(account.token, { telegram: { apiRoot: `${standIn.url}/telegram/` } });
    return { account, bot };
  }

  test('polls, answers and sends a file', async () => {
    const { account, bot } = await telegraf();
    const seen = [];
    bot.on('text', async (ctx) => {
      seen.push(ctx.message.text);
      await ctx.replyWithHTML('<b>Hi</b> there');
      await ctx.replyWithDocument({ source: Buffer.from('data'), filename: 'ä b.txt' }, { caption: 'File' });
    });
    const launched = bot.launch({ dropPendingUpdates: true, allowedUpdates: ['message'] }, () => undefined);
    await until('it has a name', () => bot.botInfo);
    await standIn.write(account, { text: 'Hello' });
    const messages = await until('it answered', async () => {
      const [chat] = await standIn.chats(account);
      return chat?.messages.length === 3 && chat.messages;
    });
    bot.stop();
    await launched.catch(() => undefined);
    assert.deepEqual(seen, ['Hello']);
    assert.deepEqual(
      messages.map(({ text }) => text),
      ['Hello', 'Hi there', 'File'],
    );
    assert.equal(messages[2].files[0].name, 'ä b.txt');
  });

  test('receives by webhook', async () => {
    const { account, bot } = await telegraf();
    const seen = [];
    bot.on('text', (ctx) => void seen.push(ctx.message.text));
    let handle;
    await using server = await serve((req, res) => handle(req, res));
    handle = await bot.createWebhook({ domain: 'inbox.example', path: '/hook', secret_token: 'secret' });
    await bot.telegram.setWebhook(`${server.url}/hook`, { secret_token: 'secret' });
    await standIn.write(account, { text: 'Hello' });
    assert.deepEqual(seen, ['Hello']);
  });
});
