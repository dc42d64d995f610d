import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { processUpdates } from '#server/inbox/provider-updates/process-updates.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { accountRow, callWebhook, graphError, messagesIn, metaId } from '#test/fixtures/meta.ts';
import { entry, mid, PAGE_CHANNELS, person, sendApi, test } from '#test/fixtures/page-test.ts';
import { reactionsIn } from '#test/fixtures/reactions-in.ts';

describe.each(PAGE_CHANNELS)('$channel', (pageChannel) => {
  const { channel } = pageChannel;
  test.override('pageChannel', pageChannel);

  test('an account is connected with its name, and the app is subscribed to its page', async ({
    provider,
    page,
  }) => {
    const account = await page.connect();
    expect(await accountRow(account)).toMatchObject({
      externalId: account.externalId,
      name: channel === 'instagram' ? '@acme' : 'Acme',
    });
    expect(provider.calls.at(-1)?.path).toContain('/subscribed_apps?subscribed_fields=messages');
  });

  test('an account cannot be connected with the secret of another app, as the first request shows', async ({
    provider,
    page,
  }) => {
    provider.respond((call) =>
      call.path.includes('appsecret_proof=')
        ? {
            status: 400,
            json: graphError(100, { message: 'Invalid appsecret_proof provided in the API argument' }),
          }
        : { json: sendApi(call) ?? {} },
    );
    await expect(page.connect()).rejects.toMatchObject({ errors: { appSecret: [expect.any(String)] } });
    expect(provider.calls).toHaveLength(1);
  });

  test('a person who writes becomes a contact with a name, and three events are recorded', async ({
    page,
  }) => {
    const account = await page.connect();
    await makeConnection({ workspaceId: account.workspaceId, teammate: account.by });
    await page.receive(account, page.written(account));
    expect((await recordedEvents(account.workspaceId)).map(({ event }) => event)).toEqual([
      'contact.created',
      'conversation.created',
      'message.received',
    ]);
    expect(
      await db().contact.findFirstOrThrow({ where: { workspaceId: account.workspaceId } }),
    ).toMatchObject({ firstName: 'Ada', lastName: 'Marsh', phone: null });
  });

  test('a person whose name Meta does not return becomes a contact without a name', async ({
    provider,
    page,
  }) => {
    const account = await page.connect();
    provider.respond(() => ({ status: 400, json: graphError(100, { subcode: 33 }) }));
    await page.receive(account, page.written(account));
    expect(await messagesIn(account)).toHaveLength(1);
  });

  test('a message is received without a name while Meta’s profile request hangs', async ({
    provider,
    page,
  }) => {
    const account = await page.connect();
    provider.respond(() => 'hang');
    await page.receive(account, page.written(account));
    expect(await messagesIn(account)).toHaveLength(1);
  });

  test.for([
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
  ] as const)('%j is shown as text', async ([input, content], { provider, page }) => {
    const account = await page.connect();
    await page.receive(account, page.written(account, { text: undefined, ...input }));
    expect(await messagesIn(account)).toMatchObject([{ content, attachmentsCount: 0 }]);
    expect(provider.calls.filter(({ path }) => path.includes('evil'))).toEqual([]);
  });

  test('files are fetched only from Meta’s own hosts, without the token', async ({ provider, page }) => {
    const account = await page.connect();
    provider.respond((asked) =>
      asked.path === '/files/a.png'
        ? { bytes: Buffer.from('89504e470d0a1a0a', 'hex') }
        : { json: sendApi(asked) ?? {} },
    );
    const attachments = [
      { type: 'image', payload: { url: `${provider.url}/files/a.png` } },
      { type: 'video', payload: { url: 'http://127.0.0.1:1/x.mp4' } },
    ];
    await page.receive(account, page.written(account, { text: undefined, attachments }));
    const [message] = await messagesIn(account);
    expect(message?.attachments).toMatchObject([{ name: 'a.png', contentType: 'image/png', sizeBytes: 8 }]);
    expect(message?.content).toContain('“video.mp4” is missing');
    const fetched = provider.calls.find(({ path }) => path === '/files/a.png');
    expect(fetched?.headers.authorization).toBeUndefined();
  });

  test('a pressed button is received as a message with its title', async ({ page }) => {
    const account = await page.connect();
    await page.receive(
      account,
      page.webhook(entry(account, person(), { postback: { mid: mid(), title: 'Start', payload: 'x' } })),
    );
    expect(await messagesIn(account)).toMatchObject([{ content: 'Start' }]);
  });

  test('a reaction is shown at its message, and replaced or removed by the next', async ({ page }) => {
    const account = await page.begin();
    const mid = (await messagesIn(account))[0]?.externalId?.split(':').at(-1);
    const react = (action: string, emoji?: string) =>
      page.receive(
        account,
        page.webhook(entry(account, account.sender, { reaction: { mid, action, emoji, reaction: 'other' } })),
      );
    const seen: number[] = [];
    for (const [action, emoji] of [
      ['react', '👍'],
      ['react', '❤️'],
      ['unreact', undefined],
    ] as const) {
      await react(action, emoji);
      const shown = await reactionsIn(account);
      expect(shown.every((each) => each.endsWith(` ${emoji}`))).toBe(true);
      seen.push(shown.length);
    }
    expect(seen).toEqual([1, 1, 0]);
    expect(await messagesIn(account)).toHaveLength(1);
  });

  test('a message is stored with what it answers, a story, or the ad that led to it', async ({ page }) => {
    const account = await page.begin();
    const [first] = await messagesIn(account);
    const answered = first?.externalId?.split(':').at(-1);
    const ads_context_data = { ad_title: 'Half price' };
    for (const input of [
      { reply_to: { mid: answered } },
      { reply_to: { story: { id: '17', url: 'https://cdn.example/17' } } },
      { referral: { source: 'ADS', type: 'OPEN_THREAD', ad_id: '7', ads_context_data } },
    ]) {
      await page.receive(account, page.written(account, input, account.sender));
    }
    const none = { answersId: null, isAboutStory: false, isForwarded: false, ad: null };
    expect((await messagesIn(account)).map(({ context }) => context)).toEqual([
      null,
      { ...none, answersId: first?.id },
      { ...none, isAboutStory: true },
      { ...none, ad: { title: 'Half price', source: '7' } },
    ]);
  });

  test('receipts and opt-ins are ignored', async ({ page }) => {
    const account = await page.begin();
    for (const event of [
      { read: { watermark: 1 } },
      { read: { mid: 'm' } },
      { delivery: { mids: ['m'], watermark: 1 } },
      { optin: {} },
    ]) {
      await page.receive(account, page.webhook(entry(account, account.sender, event)));
    }
    expect(await messagesIn(account)).toHaveLength(1);
  });

  test('an edit and a deletion update the message in its thread', async ({ page }) => {
    const account = await page.connect();
    const sender = person();
    const message = { mid: mid(), text: 'Hello' };
    await page.receive(account, page.webhook(entry(account, sender, { message })));
    const edit = entry(account, sender, { message_edit: { mid: message.mid, text: 'Goodbye', num_edit: 1 } });
    await page.receive(account, page.webhook(edit));
    expect(await messagesIn(account)).toMatchObject([{ content: 'Goodbye' }]);
    const gone = entry(account, sender, { message: { mid: message.mid, is_deleted: true } });
    gone.messaging = gone.messaging.map((each) => ({ ...each, timestamp: each.timestamp + 1 }));
    await page.receive(account, page.webhook(gone));
    expect(await messagesIn(account)).toMatchObject([{ content: '[The contact deleted this message.]' }]);
  });

  test('a message is received once, even when Meta sends it three times, in another order, or ten times in parallel', async ({
    service,
    page,
  }) => {
    const account = await page.connect();
    const bodies = [page.written(account), page.written(account), page.written(account)];
    for (const body of [...bodies, ...bodies.toReversed()]) await page.receive(account, body);
    const another = page.written(account);
    await Promise.all(Array.from({ length: 10 }, () => callWebhook(service.url, account, another)));
    await Promise.all([processUpdates(account.id), processUpdates(account.id)]);
    expect(await messagesIn(account)).toHaveLength(4);
  });

  test('a webhook with entries for two accounts is processed for each account', async ({ service, page }) => {
    const first = await page.connect();
    const second = await page.connect({ appSecret: first.appSecret });
    const stranger = { externalId: metaId() };
    const body = page.webhook(
      ...[first, second, stranger, first].map((account) =>
        entry(account, person(), { message: { mid: mid(), text: 'Hello' } }),
      ),
    );
    expect(await callWebhook(service.url, first, body)).toBe(200);
    await Promise.all([processUpdates(first.id), processUpdates(second.id)]);
    expect(await messagesIn(first)).toHaveLength(2);
    expect(await messagesIn(second)).toHaveLength(1);
  });

  test('an attacker without a signature, or with another account’s signature, is refused', async ({
    service,
    page,
  }) => {
    const [account, other] = [await page.connect(), await page.connect()];
    expect(await callWebhook(service.url, account, page.written(account), {})).toBe(401);
    const { appSecret } = other;
    expect(await callWebhook(service.url, { ...account, appSecret }, page.written(account))).toBe(401);
    expect(await db().inboundUpdate.count({ where: { accountId: account.id } })).toBe(0);
  });
});
