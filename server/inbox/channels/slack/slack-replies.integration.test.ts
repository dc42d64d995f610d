import { describe, expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { linkFiles } from '#server/inbox/files/link-files.ts';
import { storeFile } from '#server/inbox/files/store-file.ts';
import { sendMessage } from '#server/inbox/messages/send-message.ts';
import { connectTeam, dm, mention, reply, test, webApi } from '#test/fixtures/slack-test.ts';
import { replyWithFile } from '#test/fixtures/stored-files.ts';
import { timed } from '#test/fixtures/timed.ts';

describe('a reply', () => {
  test('is sent into the direct conversation, with mentions escaped', async ({ provider, slack }) => {
    const team = await connectTeam();
    await slack.receive(team, dm());
    expect(await reply(team, 'See <!channel> & more')).toMatchObject({ send_status: 'sent' });
    expect(provider.calls.at(-1)).toMatchObject({
      path: '/api/chat.postMessage',
      body: { channel: 'D1', text: 'See &lt;!channel&gt; &amp; more' },
    });
    expect(provider.calls.at(-1)?.body.thread_ts).toBeUndefined();
  });

  test('to a mention is sent into its thread, within Slack’s limit', async ({ provider, slack }) => {
    const team = await connectTeam();
    const first = mention();
    await slack.receive(team, first);
    await reply(team, '&'.repeat(8_000));
    const posts = provider.calls.filter(({ path }) => path === '/api/chat.postMessage');
    expect(posts.map(({ body }) => [body.channel, body.thread_ts])).toEqual([['C1', first.ts]]);
    expect(String(posts[0]?.body.text).length).toBeLessThanOrEqual(40_000);
  });

  test.for([
    [
      'does not stay in the channel, where Slack posts it instead',
      { ok: true },
      /^The thread in Slack was deleted\.$/,
    ],
    [
      'says that it is in the channel if Slack does not delete it',
      { ok: false, error: 'cant_delete_message' },
      /in the channel.* delete it there\.$/,
    ],
  ] as const)(
    'to a deleted thread fails, and %s',
    async ([_what, deletion, sentence], { provider, slack }) => {
      const team = await connectTeam();
      await slack.receive(team, mention());
      const ts = '1700000009.000100';
      provider.respond((asked) => {
        const isPost = asked.path === '/api/chat.postMessage';
        const posted = {
          ok: true,
          channel: 'C1',
          ts,
          message: { type: 'message', user: 'UBOT', text: 'x', ts },
        };
        return {
          json: isPost ? posted : asked.path === '/api/chat.delete' ? deletion : (webApi(asked) ?? {}),
        };
      });
      expect(await reply(team)).toMatchObject({
        send_status: 'failed',
        delivery_error: expect.stringMatching(sentence),
      });
      expect(provider.calls.at(-1)).toMatchObject({ path: '/api/chat.delete', body: { channel: 'C1', ts } });
    },
  );

  test.for([
    [
      'is not uploaded to a deleted thread, as Slack could share it into the channel',
      'thread_not_found',
      'failed',
    ],
    ['is uploaded if Slack does not let the bot read the thread', 'missing_scope', 'sent'],
  ] as const)('a file %s', async ([_what, error, send_status], { provider, slack }) => {
    const team = await connectTeam();
    const first = mention();
    await slack.receive(team, first);
    provider.calls.length = 0;
    provider.respond((asked) => ({
      json: asked.path === '/api/conversations.replies' ? { ok: false, error } : (webApi(asked) ?? {}),
    }));
    expect(await replyWithFile(team, { name: 'bill.pdf', contentType: 'application/pdf' })).toMatchObject({
      send_status,
      delivery_error: send_status === 'sent' ? null : 'The thread in Slack was deleted.',
    });
    expect(provider.calls[0]).toMatchObject({
      path: '/api/conversations.replies',
      body: { channel: 'C1', ts: first.ts },
    });
    expect(provider.calls.some(({ path }) => path === '/api/files.completeUploadExternal')).toBe(
      send_status === 'sent',
    );
  });

  test.for([
    ['token_revoked', 'needs to be connected again', 'reconnect_needed'],
    ['not_in_channel', 'The bot is no longer in this Slack channel', 'connected'],
    ['rate_limited', 'accepts no more messages right now', 'connected'],
    ['message_limit_exceeded', 'accepts no more messages right now', 'connected'],
    ['something_new', 'did not accept the message: something_new', 'connected'],
  ] as const)(
    'that Slack rejects with %s fails with an explanation',
    async ([error, sentence, status], { provider, slack }) => {
      const team = await connectTeam();
      await slack.receive(team, dm());
      provider.respond((asked) =>
        asked.path === '/api/chat.postMessage'
          ? { json: { ok: false, error } }
          : { json: webApi(asked) ?? {} },
      );
      expect(await reply(team)).toMatchObject({
        send_status: 'failed',
        delivery_error: expect.stringContaining(sentence),
      });
      expect(await db().channelAccount.findUniqueOrThrow({ where: { id: team.id } })).toMatchObject({
        status,
      });
    },
  );

  test.for([
    ['a page', '<html>Please wait</html>'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['a cut answer', '{"ok":true,"ts":"17'],
    ['an answer without ok', '{"ts":"1700000000.000100"}'],
    ['an answer without ts', '{"ok":true}'],
  ] as const)(
    'that Slack answers with %s is not confirmed, and not refused: it may have been posted',
    async ([_what, answer], { provider, slack }) => {
      const team = await connectTeam();
      await slack.receive(team, dm());
      provider.respond((asked) =>
        asked.path === '/api/chat.postMessage'
          ? { bytes: Buffer.from(answer) }
          : { json: webApi(asked) ?? {} },
      );
      expect(await reply(team)).toMatchObject({
        send_status: 'failed',
        delivery_error: 'Slack did not confirm the message, so the contact may not have received it.',
      });
    },
  );

  test('that Slack throttles waits for a short Retry-After, and fails in time for a long one or without a response', async ({
    provider,
    slack,
  }) => {
    const team = await connectTeam();
    await slack.receive(team, dm());
    let times = 0;
    const throttle = (seconds: number) =>
      provider.respond((asked) => {
        times += 1;
        return asked.path === '/api/chat.postMessage' && (seconds > 10 || times === 1)
          ? {
              status: 429,
              headers: { 'retry-after': String(seconds) },
              json: { ok: false, error: 'ratelimited' },
            }
          : { json: webApi(asked) ?? {} };
      });
    throttle(1);
    expect(await reply(team)).toMatchObject({ send_status: 'sent' });
    expect(times).toBe(2);
    throttle(30);
    const throttled = await timed(() => reply(team));
    expect(throttled.result).toMatchObject({
      delivery_error: expect.stringContaining('accepts no more messages'),
    });
    provider.respond(() => 'hang');
    const hanging = await timed(() => reply(team));
    expect(hanging.result).toMatchObject({
      delivery_error: expect.stringContaining('did not answer in time'),
    });
    // The throttled reply does not wait. On a busy machine both replies take longer.
    expect(hanging.ms).toBeLessThan(12_000 + 3 * throttled.ms);
    provider.respond(() => ({ status: 503 }));
    expect(await reply(team)).toMatchObject({
      delivery_error: expect.stringContaining('may not have received it'),
    });
  });

  test('is sent with its files', async ({ provider, slack }) => {
    const team = await connectTeam();
    await slack.receive(team, dm());
    const { id } = await reply(team);
    const { workspaceId } = team;
    const file = await storeFile(workspaceId, {
      name: 'bill.pdf',
      contentType: 'application/pdf',
      source: (async function* () {
        yield Buffer.from('%PDF-1.4 a bill');
      })(),
    });
    await inTransaction((tx) =>
      linkFiles(tx, { workspaceId, messageId: id, files: [file], now: new Date() }),
    );
    await db().message.update({
      where: { id },
      data: { sendStatus: 'sending', sendStartedAt: new Date(), externalId: null },
    });
    expect(await sendMessage(id)).toMatchObject({ status: 'sent' });
    const paths = provider.calls.map(({ path }) => path);
    expect(paths.slice(-3)).toEqual([
      '/api/files.getUploadURLExternal',
      '/api/upload/v1/abc',
      '/api/files.completeUploadExternal',
    ]);
    expect(provider.calls.at(-2)?.raw.includes('%PDF-1.4 a bill')).toBe(true);
    expect(provider.calls.at(-1)?.body).toMatchObject({ channel_id: 'D1' });
  });

  test('without text sends only its file', async ({ provider, slack }) => {
    const team = await connectTeam();
    await slack.receive(team, dm());
    provider.calls.length = 0;
    expect(await replyWithFile(team, { name: 'bill.pdf', contentType: 'application/pdf' })).toMatchObject({
      content: '',
      send_status: 'sent',
    });
    expect(provider.calls.map(({ path }) => path)).not.toContain('/api/chat.postMessage');
    expect(provider.calls.at(-1)?.path).toBe('/api/files.completeUploadExternal');
  });
});
