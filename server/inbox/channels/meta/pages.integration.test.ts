import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { sendMessage } from '#server/inbox/messages/send-message.ts';
import { processUpdates } from '#server/inbox/provider-updates/process-updates.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { withChannelService } from '#test/fixtures/channel-service.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import {
  accountRow,
  age,
  callWebhook,
  connectMeta,
  describeObject,
  graphError,
  type MetaAccount,
  messagesIn,
  metaId,
  receiveUpdate,
  replyIn,
} from '#test/fixtures/meta.ts';
import type { ProviderCall } from '#test/servers/provider-server.ts';

const mid = () => `m_${randomUUID()}`;
let lastSent = '';

/** Answers calls to the Send API without errors. */
function sendApi(call: ProviderCall): object | undefined {
  const { method, path, body } = call;
  if (method === 'POST' && path.endsWith('/me/messages')) {
    lastSent = mid();
    return { recipient_id: (body.recipient as { id: string }).id, message_id: lastSent };
  }
  if (path.endsWith('/me/message_attachments')) return { attachment_id: '1857777774821032' };
  if (path.includes('first_name')) return { first_name: 'Ada', last_name: 'Marsh', id: '1' };
  if (path.includes('fields=name%2Cusername')) return { name: 'Ada Marsh', username: 'ada', id: '1' };
  return describeObject(call);
}

const service = withChannelService((url) => ({ META_API_URL: url }), sendApi);
const sends = () => service.provider.calls.filter(({ path }) => path.endsWith('/me/messages'));
const receive = (account: MetaAccount, body: unknown) => receiveUpdate(service.url, account, body);

type Page = { channel: Channel; object: string; field: string; windowCode: [number, number] };
const MESSENGER: Page = { channel: 'messenger', object: 'page', field: 'pageId', windowCode: [10, 2018278] };
const INSTAGRAM: Page = {
  channel: 'instagram',
  object: 'instagram',
  field: 'accountId',
  windowCode: [10, 2534022],
};

describe.each([MESSENGER, INSTAGRAM])('$channel', ({ channel, object, field, windowCode }) => {
  const connect = (more?: Record<string, string>) => connectMeta(channel, field, more);
  const person = () => `7${randomInt(1e9, 9e9)}${randomInt(1e4, 9e4)}`;

  function entry({ externalId }: { externalId: string }, sender: string, event: object, isEcho = false) {
    const [from, to] = isEcho ? [externalId, sender] : [sender, externalId];
    const happened = { sender: { id: from }, recipient: { id: to }, timestamp: 1_749_416_383_000 };
    return { id: externalId, time: 1, messaging: [{ ...happened, ...event }] };
  }
  const webhook = (...entries: object[]) => ({ object, entry: entries });
  const written = (account: { externalId: string }, given: object = {}, sender = person()) =>
    webhook(entry(account, sender, { message: { mid: mid(), text: 'Hello', ...given } }));
  const begin = async () => {
    const account = await connect();
    const sender = person();
    await receive(account, written(account, {}, sender));
    return { ...account, sender };
  };
  const refuseSends = (code: number, subcode?: number) =>
    service.provider.respond((asked) =>
      asked.path.endsWith('/me/messages')
        ? { status: 400, json: graphError(code, subcode ? { subcode } : {}) }
        : { json: sendApi(asked) ?? {} },
    );

  test('an account is connected with its name, and the app is subscribed to its page', async () => {
    const account = await connect();
    expect(await accountRow(account)).toMatchObject({
      externalId: account.externalId,
      name: channel === 'instagram' ? '@acme' : 'Acme',
    });
    expect(service.provider.calls.at(-1)?.path).toContain('/subscribed_apps?subscribed_fields=messages');
  });

  test('an account cannot be connected with the secret of another app', async () => {
    service.provider.respond((call) =>
      call.path.includes('appsecret_proof=')
        ? {
            status: 400,
            json: graphError(100, { message: 'Invalid appsecret_proof provided in the API argument' }),
          }
        : { json: sendApi(call) ?? {} },
    );
    await expect(connect()).rejects.toMatchObject({ errors: { appSecret: [expect.any(String)] } });
  });

  test('a person who writes becomes a contact with a name, and three events are recorded', async () => {
    const account = await connect();
    await makeConnection({ workspaceId: account.workspaceId, teammate: account.by });
    await receive(account, written(account));
    expect((await recordedEvents(account.workspaceId)).map(({ event }) => event)).toEqual([
      'contact.created',
      'conversation.created',
      'message.received',
    ]);
    expect(
      await db().contact.findFirstOrThrow({ where: { workspaceId: account.workspaceId } }),
    ).toMatchObject({ firstName: 'Ada', lastName: 'Marsh', phone: null });
  });

  test('a person whose name Meta does not return becomes a contact without a name', async () => {
    const account = await connect();
    service.provider.respond(() => ({ status: 400, json: graphError(100, { subcode: 33 }) }));
    await receive(account, written(account));
    expect(await messagesIn(account)).toHaveLength(1);
  });

  test('a message is received without a name while Meta’s profile request hangs', async () => {
    const account = await connect();
    service.provider.respond(() => 'hang');
    await receive(account, written(account));
    expect(await messagesIn(account)).toHaveLength(1);
  });

  test.each([
    [
      { attachments: [{ type: 'fallback', title: 'A page', payload: { url: 'https://evil.example' } }] },
      '[Shared a link: A page]',
    ],
    [
      {
        attachments: [
          { type: 'share', payload: { title: 'Us', url: 'x' } },
          { type: 'ig_post', payload: { title: 'Us' } },
        ],
      },
      '[Shared a post: Us]',
    ],
    [
      { attachments: [{ type: 'story_mention', payload: { url: 'x' } }] },
      '[Mentioned the account in a story]',
    ],
    [
      { attachments: [{ type: 'location', title: 'Home', payload: { coordinates: { lat: 1, long: 2 } } }] },
      'Location: Home, 1, 2',
    ],
    [{ is_unsupported: true }, '[The contact sent something that cannot be shown here.]'],
    [
      { attachments: [{ type: 'hologram' }] },
      '[The contact sent something that cannot be shown here: hologram.]',
    ],
    [{ text: 'Yes', quick_reply: { payload: 'y' } }, 'Yes'],
  ])('%j is shown as text', async (given, content) => {
    const account = await connect();
    await receive(account, written(account, { text: undefined, ...given }));
    expect(await messagesIn(account)).toMatchObject([{ content, attachmentsCount: 0 }]);
    expect(service.provider.calls.filter(({ path }) => path.includes('evil'))).toEqual([]);
  });

  test('files are fetched only from Meta’s own hosts, without the token', async () => {
    const account = await connect();
    service.provider.respond((asked) =>
      asked.path === '/files/a.png'
        ? { bytes: Buffer.from('89504e470d0a1a0a', 'hex') }
        : { json: sendApi(asked) ?? {} },
    );
    const attachments = [
      { type: 'image', payload: { url: `${service.provider.url}/files/a.png` } },
      { type: 'video', payload: { url: 'http://127.0.0.1:1/x.mp4' } },
    ];
    await receive(account, written(account, { text: undefined, attachments }));
    const [message] = await messagesIn(account);
    expect(message?.attachments).toMatchObject([{ name: 'a.png', contentType: 'image/png', sizeBytes: 8 }]);
    expect(message?.content).toContain('“video.mp4” is missing');
    const fetched = service.provider.calls.find(({ path }) => path === '/files/a.png');
    expect(fetched?.headers.authorization).toBeUndefined();
  });

  test('a pressed button is received as a message with its title', async () => {
    const account = await connect();
    await receive(
      account,
      webhook(entry(account, person(), { postback: { mid: mid(), title: 'Start', payload: 'x' } })),
    );
    expect(await messagesIn(account)).toMatchObject([{ content: 'Start' }]);
  });

  test('reactions, receipts and opt-ins are ignored', async () => {
    const account = await begin();
    for (const event of [
      { reaction: { mid: 'm', action: 'react', emoji: '❤️' } },
      { read: { watermark: 1 } },
      { read: { mid: 'm' } },
      { delivery: { mids: ['m'], watermark: 1 } },
      { optin: {} },
    ]) {
      await receive(account, webhook(entry(account, account.sender, event)));
    }
    expect(await messagesIn(account)).toHaveLength(1);
  });

  test('an edit and a deletion update the message in its thread', async () => {
    const account = await connect();
    const sender = person();
    const message = { mid: mid(), text: 'Hello' };
    await receive(account, webhook(entry(account, sender, { message })));
    const edit = entry(account, sender, { message_edit: { mid: message.mid, text: 'Goodbye', num_edit: 1 } });
    await receive(account, webhook(edit));
    expect(await messagesIn(account)).toMatchObject([{ content: 'Goodbye' }]);
    const gone = entry(account, sender, { message: { mid: message.mid, is_deleted: true } });
    gone.messaging = gone.messaging.map((each) => ({ ...each, timestamp: each.timestamp + 1 }));
    await receive(account, webhook(gone));
    expect(await messagesIn(account)).toMatchObject([{ content: '[The contact deleted this message.]' }]);
  });

  test('a message is received once, also when Meta sends it three times, in another order, or ten times in parallel', async () => {
    const account = await connect();
    const bodies = [written(account), written(account), written(account)];
    for (const body of [...bodies, ...bodies.toReversed()]) await receive(account, body);
    const another = written(account);
    await Promise.all(Array.from({ length: 10 }, () => callWebhook(service.url, account, another)));
    await Promise.all([processUpdates(account.id), processUpdates(account.id)]);
    expect(await messagesIn(account)).toHaveLength(4);
  });

  test('a webhook with entries for two accounts is processed for each account', async () => {
    const first = await connect();
    const second = await connect({ appSecret: first.appSecret });
    const stranger = { externalId: metaId() };
    const body = webhook(
      ...[first, second, stranger, first].map((account) =>
        entry(account, person(), { message: { mid: mid(), text: 'Hello' } }),
      ),
    );
    expect(await callWebhook(service.url, first, body)).toBe(200);
    await Promise.all([processUpdates(first.id), processUpdates(second.id)]);
    expect(await messagesIn(first)).toHaveLength(2);
    expect(await messagesIn(second)).toHaveLength(1);
  });

  test('an attacker without a signature, or with another account’s signature, is refused', async () => {
    const [account, other] = [await connect(), await connect()];
    expect(await callWebhook(service.url, account, written(account), {})).toBe(401);
    const { appSecret } = other;
    expect(await callWebhook(service.url, { ...account, appSecret }, written(account))).toBe(401);
    expect(await db().inboundUpdate.count({ where: { accountId: account.id } })).toBe(0);
  });

  test('a reply is sent as a response, and its echo adds no second message', async () => {
    const account = await begin();
    expect(await replyIn(account)).toMatchObject({ send_status: 'sent', delivery_error: null });
    expect(sends().at(-1)?.body).toEqual({
      recipient: { id: account.sender },
      messaging_type: 'RESPONSE',
      message: { text: 'On its way.' },
    });
    const message = { mid: lastSent, is_echo: true, app_id: 1, text: 'On its way.' };
    await receive(account, webhook(entry(account, account.sender, { message }, true)));
    expect(await messagesIn(account)).toHaveLength(2);
  });

  test('a reply from Meta’s own app is stored once, as an outgoing message', async () => {
    const account = await begin();
    const message = { mid: mid(), is_echo: true, text: 'From the phone' };
    for (let time = 0; time < 3; time += 1) {
      await receive(account, webhook({ ...entry(account, account.sender, { message }, true), time }));
    }
    expect((await messagesIn(account)).map(({ direction, content }) => [direction, content])).toEqual([
      ['inbound', 'Hello'],
      ['outbound', 'From the phone'],
    ]);
  });

  test('after 24 hours a person’s reply carries the human agent tag, for seven days', async () => {
    const account = await begin();
    await age(account, 6 * 24);
    expect(await replyIn(account)).toMatchObject({ send_status: 'sent' });
    expect(sends().at(-1)?.body).toMatchObject({ messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' });
    await age(account, 8 * 24);
    expect(await replyIn(account)).toMatchObject({
      send_status: 'failed',
      delivery_error: expect.stringContaining('more than 7 days ago'),
    });
    expect(sends()).toHaveLength(1);
  });

  test.each(['workflow', 'ai_agent', 'flow', 'automatic'] as const)(
    'an automatic reply (%s) never carries the human agent tag',
    async (authorKind) => {
      const account = await begin();
      const { id } = await replyIn(account);
      const data = { authorKind, authorId: null, sendStatus: 'sending', sendStartedAt: new Date() } as const;
      await db().message.update({ where: { id }, data: { ...data, externalId: null } });
      expect(await sendMessage(id)).toMatchObject({ status: 'sent' });
      expect(sends().at(-1)?.body).not.toHaveProperty('tag');
      await age(account, 25);
      await db().message.update({ where: { id }, data: { ...data, externalId: null } });
      expect(await sendMessage(id)).toMatchObject({
        status: 'failed',
        reason: expect.stringContaining('more than 24 hours ago'),
      });
      expect(sends()).toHaveLength(2);
    },
  );

  test('a closed window that Meta reports is explained', async () => {
    const account = await begin();
    refuseSends(...windowCode);
    expect(await replyIn(account)).toMatchObject({
      send_status: 'failed',
      delivery_error: expect.stringContaining('Until they write again'),
    });
  });

  test.each([
    [551, undefined, 'cannot be reached:'],
    [100, 2018001, 'no longer knows this contact'],
    [613, undefined, 'accepts no more messages'],
    [1200, undefined, 'has an internal error'],
    [190, undefined, 'needs to be connected again'],
  ])('a reply that Meta rejects with %i fails with an explanation', async (code, subcode, sentence) => {
    const account = await begin();
    refuseSends(code, subcode);
    expect(await replyIn(account)).toMatchObject({
      send_status: 'failed',
      delivery_error: expect.stringContaining(sentence),
    });
  });

  test('a long reply is split within the limit of the channel', async () => {
    const account = await begin();
    const lines = Array.from({ length: 60 }, (_, number) => `Zeile ${number} ${'ä'.repeat(40)}`).join('\n');
    expect(await replyIn(account, lines)).toMatchObject({ send_status: 'sent' });
    const texts = sends().map(({ body }) => (body.message as { text: string }).text);
    expect(texts.join('\n')).toBe(lines);
    for (const text of texts) {
      if (channel === 'instagram') expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1000);
      else expect(text.length).toBeLessThanOrEqual(2000);
    }
  });
});
