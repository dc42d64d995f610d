import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { sendMessage } from '#server/inbox/messages/send-message.ts';
import { age, graphError, messagesIn, replyIn } from '#test/fixtures/meta.ts';
import { entry, lastSentId, mid, PAGE_CHANNELS, sendApi, test } from '#test/fixtures/page-test.ts';

describe.each(PAGE_CHANNELS)('$channel', (pageChannel) => {
  const { channel, windowCode } = pageChannel;
  test.override('pageChannel', pageChannel);

  test('a reply is sent as a response, and its echo adds no second message', async ({ page }) => {
    const account = await page.begin();
    expect(await replyIn(account)).toMatchObject({ send_status: 'sent', delivery_error: null });
    expect(page.sends().at(-1)?.body).toEqual({
      recipient: { id: account.sender },
      messaging_type: 'RESPONSE',
      message: { text: 'On its way.' },
    });
    const message = { mid: lastSentId(), is_echo: true, app_id: 1, text: 'On its way.' };
    await page.receive(account, page.webhook(entry(account, account.sender, { message }, true)));
    expect(await messagesIn(account)).toHaveLength(2);
  });

  test('a reply from Meta’s own app is stored once, as an outgoing message', async ({ page }) => {
    const account = await page.begin();
    const message = { mid: mid(), is_echo: true, text: 'From the phone' };
    for (let time = 0; time < 3; time += 1) {
      await page.receive(
        account,
        page.webhook({ ...entry(account, account.sender, { message }, true), time }),
      );
    }
    expect((await messagesIn(account)).map(({ direction, content }) => [direction, content])).toEqual([
      ['inbound', 'Hello'],
      ['outbound', 'From the phone'],
    ]);
  });

  test('after 24 hours a person’s reply carries the human agent tag, for seven days', async ({ page }) => {
    const account = await page.begin();
    await age(account, 6 * 24);
    expect(await replyIn(account)).toMatchObject({ send_status: 'sent' });
    expect(page.sends().at(-1)?.body).toMatchObject({ messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' });
    await age(account, 8 * 24);
    expect(await replyIn(account)).toMatchObject({
      send_status: 'failed',
      delivery_error: expect.stringContaining('more than 7 days ago'),
    });
    expect(page.sends()).toHaveLength(1);
  });

  test('a person’s reply carries the human agent tag once Meta counts 24 hours, before the service does', async ({
    page,
    provider,
  }) => {
    const account = await page.begin();
    provider.respond((call) =>
      call.path.endsWith('/me/messages') && call.body.tag === undefined
        ? { status: 400, json: graphError(windowCode[0], { subcode: windowCode[1] }) }
        : { json: sendApi(call) ?? {} },
    );
    expect(await replyIn(account)).toMatchObject({ send_status: 'sent', delivery_error: null });
    expect(page.sends().map(({ body }) => body.messaging_type)).toEqual(['RESPONSE', 'MESSAGE_TAG']);
  });

  test.for([
    [10, 'the app lacks the permission for the tag', 'an app with the Human Agent permission'],
    [190, 'the token expired', 'needs to be connected again'],
  ] as const)(
    'a person’s reply that Meta refuses also with the tag (%i: %s) fails with an explanation',
    async ([code, _what, sentence], { page, provider }) => {
      const account = await page.begin();
      provider.respond((call) => {
        if (!call.path.endsWith('/me/messages')) return { json: sendApi(call) ?? {} };
        const isTagged = call.body.tag !== undefined;
        return {
          status: 400,
          json: isTagged ? graphError(code) : graphError(windowCode[0], { subcode: windowCode[1] }),
        };
      });
      expect(await replyIn(account)).toMatchObject({
        send_status: 'failed',
        delivery_error: expect.stringContaining(sentence),
      });
      expect(page.sends()).toHaveLength(2);
    },
  );

  test.for(['workflow', 'ai_agent', 'flow', 'automatic'] as const)(
    'an automatic reply (%s) never carries the human agent tag',
    async (authorKind, { page }) => {
      const account = await page.begin();
      const { id } = await replyIn(account);
      const data = { authorKind, authorId: null, sendStatus: 'sending', sendStartedAt: new Date() } as const;
      await db().message.update({ where: { id }, data: { ...data, externalId: null } });
      expect(await sendMessage(id)).toMatchObject({ status: 'sent' });
      expect(page.sends().at(-1)?.body).not.toHaveProperty('tag');
      await age(account, 25);
      await db().message.update({ where: { id }, data: { ...data, externalId: null } });
      expect(await sendMessage(id)).toMatchObject({
        status: 'failed',
        reason: expect.stringContaining('more than 24 hours ago'),
      });
      expect(page.sends()).toHaveLength(2);
    },
  );

  test('a closed window that Meta reports is explained', async ({ page }) => {
    const account = await page.begin();
    page.refuseSends(...windowCode);
    expect(await replyIn(account)).toMatchObject({
      send_status: 'failed',
      delivery_error: expect.stringContaining('Until they write again'),
    });
  });

  test.for([
    [551, undefined, 'cannot be reached:'],
    [200, 1545041, 'cannot be reached:'],
    [10, 2018108, 'cannot be reached:'],
    [100, 2018001, 'no longer knows this contact'],
    [613, undefined, 'accepts no more messages'],
    [1200, undefined, 'has an internal error'],
    [190, undefined, 'needs to be connected again'],
  ] as const)(
    'a reply that Meta rejects with %i (%i) fails with an explanation',
    async ([code, subcode, sentence], { page }) => {
      const account = await page.begin();
      page.refuseSends(code, subcode);
      expect(await replyIn(account)).toMatchObject({
        send_status: 'failed',
        delivery_error: expect.stringContaining(sentence),
      });
    },
  );

  test('a long reply is split within the limit of the channel', async ({ page }) => {
    const account = await page.begin();
    const lines = Array.from({ length: 60 }, (_, number) => `Zeile ${number} ${'ä'.repeat(40)}`).join('\n');
    expect(await replyIn(account, lines)).toMatchObject({ send_status: 'sent' });
    const texts = page.sends().map(({ body }) => (body.message as { text: string }).text);
    expect(texts.join('\n')).toBe(lines);
    for (const text of texts) {
      if (channel === 'instagram') expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1000);
      else expect(text.length).toBeLessThanOrEqual(2000);
    }
  });
});
