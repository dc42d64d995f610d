import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { App, HTTPReceiver, LogLevel } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { base64, until, useStandIn } from './stand-in.mjs';

const standIn = useStandIn();

async function client() {
  const account = await standIn.account('slack');
  const options = {
    slackApiUrl: `${standIn.url}/slack/api/`,
    retryConfig: { retries: 0 },
    logLevel: LogLevel.ERROR,
  };
  return { account, slack: new WebClient(account.token, options), options };
}

/** Returns a check of Slack's error, as the client reads it. */
const refusal = (error) => (fault) =>
  fault.code === 'slack_webapi_platform_error' && fault.data.error === error;

/** Opens a direct message with a person who has written. */
async function direct({ account, slack }) {
  const { person } = await standIn.write(account, { text: 'Hello' });
  const { channel } = await slack.conversations.open({ users: person.id });
  return { person, channel: channel.id };
}

describe('@slack/web-api', () => {
  test('identifies its bot, and reads errors', async () => {
    const { account, slack, options } = await client();
    const me = await slack.auth.test();
    assert.deepEqual([me.ok, me.team_id, me.user_id], [true, account.external_id, account.slack.botUserId]);
    await assert.rejects(
      slack.chat.postMessage({ channel: 'C0NOWHERE', text: 'Hi' }),
      refusal('channel_not_found'),
    );
    await assert.rejects(new WebClient('xoxb-wrong', options).auth.test(), refusal('invalid_auth'));
  });

  test('posts a text with Slack’s escapes, changes and deletes it', async () => {
    const { account, slack } = await client();
    const { channel } = await direct({ account, slack });
    const sent = await slack.chat.postMessage({ channel, text: '1 &lt; 2 &amp; https://a.example/b' });
    assert.equal(sent.message.text, '1 &lt; 2 &amp; <https://a.example/b>');
    const [{ messages }] = await standIn.chats(account);
    assert.equal(messages.at(-1).text, '1 < 2 & https://a.example/b');
    const changed = await slack.chat.update({ channel, ts: sent.ts, text: 'A & B' });
    assert.equal(changed.text, 'A &amp; B');
    const history = await slack.conversations.history({ channel, limit: 2 });
    assert.deepEqual(
      history.messages.map(({ text }) => text),
      ['A &amp; B', 'Hello'],
    );
    await slack.reactions.add({ channel, timestamp: history.messages[1].ts, name: 'eyes' });
    await assert.rejects(
      slack.reactions.add({ channel, timestamp: history.messages[1].ts, name: 'eyes' }),
      refusal('already_reacted'),
    );
    assert.equal((await slack.chat.delete({ channel, ts: sent.ts })).ok, true);
    await assert.rejects(slack.chat.delete({ channel, ts: sent.ts }), refusal('message_not_found'));
    await assert.rejects(
      slack.chat.update({ channel, ts: history.messages[1].ts, text: 'No' }),
      refusal('cant_update_message'),
    );
  });

  test('uploads a file in its three steps, and knows the person', async () => {
    const { account, slack } = await client();
    const { channel, person } = await direct({ account, slack });
    await slack.filesUploadV2({
      channel_id: channel,
      file: Buffer.from('data'),
      filename: 'a.txt',
      initial_comment: 'See',
    });
    const [{ messages }] = await standIn.chats(account);
    assert.deepEqual([messages.at(-1).text, messages.at(-1).files[0].name], ['See', 'a.txt']);
    const { user } = await slack.users.info({ user: person.id });
    assert.equal(user.real_name, 'Ada Marsh');
  });

  test('reads a thread from its first message', async () => {
    const { account, slack } = await client();
    const { messages } = await standIn.write(account, { text: 'help', mention: true });
    const channel = account.slack.helpChannel;
    await slack.chat.postMessage({ channel, thread_ts: messages[0], text: 'Yes?' });
    const thread = await slack.conversations.replies({ channel, ts: messages[0] });
    assert.deepEqual(
      thread.messages.map(({ text }) => text),
      [`<@${account.slack.botUserId}> help`, 'Yes?'],
    );
    await assert.rejects(
      slack.conversations.replies({ channel, ts: '1.000001' }),
      refusal('thread_not_found'),
    );
  });
});

test('Bolt verifies the address and each event, and answers', async () => {
  const { account, options } = await client();
  const receiver = new HTTPReceiver({ signingSecret: account.secret, logLevel: LogLevel.ERROR });
  const app = new App({ token: account.token, receiver, clientOptions: options, logLevel: LogLevel.ERROR });
  const seen = [];
  app.message(async ({ message, say }) => {
    seen.push([message.subtype ?? 'text', message.text, message.files?.length ?? 0]);
    if (message.text === 'Hello') await say('Hi <there> & welcome');
  });
  app.event('app_mention', async ({ event }) => void seen.push(['mention', event.text, 0]));
  app.event('reaction_added', async ({ event }) => void seen.push(['reaction', event.reaction, 0]));
  const server = await app.start({ port: 0, host: '127.0.0.1' });
  try {
    const address = `http://127.0.0.1:${server.address().port}/slack/events`;
    const verified = await standIn.control('POST', `${standIn.key(account)}/address`, { address });
    assert.equal(verified.ok, true);
    const { messages } = await standIn.write(account, { text: 'Hello' });
    await standIn.write(account, { text: 'a < b & https://a.example' });
    await standIn.write(account, {
      text: '',
      files: [{ name: 'a.png', type: 'image/png', base64: base64('x') }],
    });
    await standIn.act(account, messages[0], { kind: 'react', emoji: '👍' });
    await standIn.act(account, messages[0], { kind: 'edit', text: 'Hello & bye' });
    await standIn.write(account, { text: 'help', mention: true });
    await until('all events arrived', () => seen.length >= 7);
    assert.deepEqual(seen, [
      ['text', 'Hello', 0],
      ['text', 'a &lt; b &amp; <https://a.example>', 0],
      ['file_share', '', 1],
      ['reaction', '+1', 0],
      ['message_changed', undefined, 0],
      ['mention', `<@${account.slack.botUserId}> help`, 0],
      ['text', `<@${account.slack.botUserId}> help`, 0],
    ]);
    const chats = await standIn.chats(account);
    const answer = chats.flatMap((chat) => chat.messages).find(({ direction }) => direction === 'out');
    assert.equal(answer.text, 'Hi <there> & welcome');
  } finally {
    await app.stop();
  }
});
