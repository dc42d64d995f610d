import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { playService, until } from './played-service.ts';
import type { Channel } from './state.ts';

const { played, control, demo, key, write, set } = playService();

const whatsappText = {
  messaging_product: 'whatsapp',
  to: '+1 555 123 4567',
  type: 'text',
  text: { body: 'Hi' },
};

describe('a contact’s message', () => {
  it('is delivered to the account’s address, with a signature of the exact bytes', async () => {
    await write('whatsapp', { text: 'Grüße' });
    const [webhook] = played.taken;
    expect(webhook?.path).toBe(new URL(demo('whatsapp').address ?? '').pathname);
    const signature = createHmac('sha256', demo('whatsapp').secret)
      .update(webhook?.body ?? '')
      .digest('hex');
    expect(webhook?.headers['x-hub-signature-256']).toBe(`sha256=${signature}`);
    expect(webhook?.body).toContain('Gr\\u00fc\\u00dfe');
  });

  it('is signed for Slack with a fresh timestamp, and carries Telegram’s secret', async () => {
    const before = Math.floor(Date.now() / 1_000);
    await write('slack', { text: 'Hello' });
    const after = Math.floor(Date.now() / 1_000);
    await write('telegram', { text: 'Hello' });
    const [slack, telegram] = played.taken;
    const timestamp = Number(slack?.headers['x-slack-request-timestamp']);
    expect(timestamp).toBeGreaterThanOrEqual(before);
    expect(timestamp).toBeLessThanOrEqual(after);
    const base = `v0:${timestamp}:${slack?.body}`;
    const signature = createHmac('sha256', demo('slack').secret).update(base).digest('hex');
    expect(slack?.headers['x-slack-signature']).toBe(`v0=${signature}`);
    expect(telegram?.headers['x-telegram-bot-api-secret-token']).toBe(demo('telegram').secret);
  });

  it('is delivered three times on request, with the same bytes', async () => {
    await set('messenger', { times: 3 });
    await write('messenger', { text: 'Hello' });
    expect(played.taken).toHaveLength(3);
    expect(new Set(played.taken.map(({ body }) => body)).size).toBe(1);
  });

  it('is delivered newest first on request', async () => {
    await set('whatsapp', { reversed: true });
    const texts = ['first', 'second'];
    await Promise.all(texts.map((text) => write('whatsapp', { text })));
    expect(played.taken.map(({ body }) => texts.find((text) => body.includes(text)))).toEqual([
      'second',
      'first',
    ]);
  });

  it('is delivered again after the service failed', async () => {
    played.response = 500;
    await write('slack', { text: 'Hello' });
    played.response = 200;
    const again = await until('it was delivered again', () => played.taken[1]);
    expect(again.headers).toMatchObject({ 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_error' });
    expect(again.body).toBe(played.taken[0]?.body);
  });
});

describe('a message from the service', () => {
  it('appears in the WhatsApp chat, and its statuses follow', async () => {
    const { status, body } = await sendWhatsapp();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      messaging_product: 'whatsapp',
      contacts: [{ input: '15551234567', wa_id: '15551234567' }],
      messages: [{ id: expect.stringMatching(/^wamid\./) }],
    });
    const statuses = () =>
      played.taken.map((each) => JSON.parse(each.body).entry[0].changes[0].value.statuses?.[0]);
    await until('it was read', () => statuses().some((each) => each?.status === 'read'));
    expect(statuses().map((each) => each.status)).toEqual(['sent', 'delivered', 'read']);
    expect(statuses()[0].id).toBe(body.messages[0].id);
  });

  it('reaches a person on WhatsApp by only their business-scoped id', async () => {
    const { person } = await write('whatsapp', { from: 'Noor Haddad', text: 'Hello' });
    const { to: _, ...rest } = whatsappText;
    const { body } = await sendWhatsapp({ ...rest, recipient: person.id });
    expect(body.contacts).toEqual([{ input: person.id, user_id: person.id }]);
  });

  it('is rejected with another app’s proof, and accepted with its own', async () => {
    const { externalId, token, secret } = demo('whatsapp');
    const read = async (appSecret: string) => {
      const proof = createHmac('sha256', appSecret).update(token).digest('hex');
      const address = `${played.url}/meta/v23.0/${externalId}?fields=id&appsecret_proof=${proof}`;
      const response = await fetch(address, { headers: { Authorization: `Bearer ${token}` } });
      return { status: response.status, body: await response.json() };
    };
    expect(await read(demo('messenger').secret)).toMatchObject({
      status: 400,
      body: { error: { code: 100, message: expect.stringContaining('appsecret_proof') } },
    });
    expect(await read(secret)).toMatchObject({ status: 200, body: { id: externalId } });
  });

  it('is rejected in a closed window, unless it is a template', async () => {
    await set('whatsapp', { window: 'closed' });
    const refused = await sendWhatsapp();
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({ code: 131047, type: 'OAuthException' });
    const template = { name: 'we_are_back', language: { code: 'en_US' } };
    const sent = await sendWhatsapp({ ...whatsappText, type: 'template', template });
    expect(sent.body.messages[0].message_status).toBe('accepted');
  });

  it('passes Messenger’s closed window with the human agent tag, only within 7 days', async () => {
    const send = (rest: object) =>
      graph('messenger', 'me/messages', {
        recipient: { id: '7123456789' },
        message: { text: 'Hi' },
        ...rest,
      });
    const tagged = { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' };
    await set('messenger', { window: 'closed' });
    const untagged = await send({ messaging_type: 'RESPONSE' });
    expect([untagged.status, untagged.body.error]).toMatchObject([400, { code: 10, error_subcode: 2018278 }]);
    expect((await send(tagged)).body).toMatchObject({ recipient_id: '7123456789' });
    await set('messenger', { window: 'expired' });
    expect((await send(tagged)).body.error.error_subcode).toBe(2018278);
  });

  it('is echoed on Messenger to the service that sent it', async () => {
    const message = { recipient: { id: '7123456789' }, messaging_type: 'RESPONSE', message: { text: 'Hi' } };
    const { body } = await graph('messenger', 'me/messages', message);
    const echo = await until('the echo arrived', () =>
      played.taken.find((each) => each.body.includes('is_echo')),
    );
    expect(JSON.parse(echo.body).entry[0].messaging[0]).toMatchObject({
      sender: { id: demo('messenger').externalId },
      message: { mid: body.message_id, is_echo: true, text: 'Hi' },
    });
  });

  it('fails on WhatsApp after it was accepted, on request', async () => {
    await set('whatsapp', { late_failure: '131026' });
    const { body } = await sendWhatsapp();
    const failed = await until('it failed', () =>
      played.taken.find((each) => each.body.includes('"failed"')),
    );
    expect(JSON.parse(failed.body).entry[0].changes[0].value.statuses[0]).toMatchObject({
      id: body.messages[0].id,
      errors: [{ code: 131026 }],
    });
  });

  it('is rejected once with the chosen error, and with an invalid token', async () => {
    await set('whatsapp', { refuse_next: '130429' });
    expect((await sendWhatsapp()).body.error.code).toBe(130429);
    expect((await sendWhatsapp()).status).toBe(200);
    await set('whatsapp', { token_valid: false });
    expect((await sendWhatsapp()).body.error.code).toBe(190);
  });
});

it('Meta’s check of an address passes only with the right verify token', async () => {
  const address = `${played.running.providers.settings.serviceUrl}/elsewhere`;
  const verify = (verify_token: string) =>
    control('POST', `/control/accounts/${key('messenger')}/address`, { address, verify_token });
  expect(await verify('wrong')).toMatchObject({ ok: false });
  expect(demo('messenger').address).not.toBe(address);
  expect(await verify('right')).toMatchObject({ ok: true });
  expect(demo('messenger').address).toBe(address);
});

describe('Telegram', () => {
  const bot = async (method: string, fields: object, token = demo('telegram').token) => {
    const response = await fetch(`${played.url}/telegram/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
    });
    return { status: response.status, body: await response.json() };
  };

  it('calls the address from setWebhook, with its secret', async () => {
    const address = `${played.running.providers.settings.serviceUrl}/webhooks/telegram/new`;
    expect((await bot('setWebhook', { url: address, secret_token: 'fresh' })).body).toMatchObject({
      ok: true,
    });
    await write('telegram', { text: 'Hello' });
    expect(played.taken[0]?.path).toBe('/webhooks/telegram/new');
    expect(played.taken[0]?.headers['x-telegram-bot-api-secret-token']).toBe('fresh');
    expect((await bot('getWebhookInfo', {})).body.result.url).toBe(address);
  });

  it('responds with its documented errors', async () => {
    const unauthorized = await bot('getMe', {}, '123:wrong');
    expect(unauthorized).toEqual({
      status: 401,
      body: { ok: false, error_code: 401, description: 'Unauthorized' },
    });
    await set('telegram', { refuse_next: '429' });
    const { body } = await bot('sendMessage', { chat_id: '6123456789', text: 'Hi' });
    expect(body).toMatchObject({ error_code: 429, parameters: { retry_after: 3 } });
    expect((await bot('sendMessage', { chat_id: '6123456789', text: ' ' })).status).toBe(400);
  });

  it('sends the files of an album in updates with one group', async () => {
    const file = { name: 'a.png', type: 'image/png', base64: 'AA==' };
    await write('telegram', { text: 'Look', files: [file, file] });
    await write('telegram', { text: '', files: [file] });
    const sent = played.taken.map(({ body }) => JSON.parse(body).message);
    expect(sent.map(({ caption }) => caption)).toEqual(['Look', undefined, undefined]);
    const [first, second, third] = sent.map(({ media_group_id }) => media_group_id);
    expect([first, third]).toEqual([second, undefined]);
    expect(first).toMatch(/^\d+$/);
  });

  it('serves a contact’s file through getFile and its path', async () => {
    const content = Buffer.from('a picture');
    const files = [{ name: 'a b.png', type: 'image/png', base64: content.toString('base64') }];
    await write('telegram', { text: 'Look', files });
    const { photo } = JSON.parse(played.taken[0]?.body ?? '{}').message;
    const { body } = await bot('getFile', { file_id: photo.at(-1).file_id });
    const path = `${played.url}/telegram/file/bot${demo('telegram').token}/${body.result.file_path}`;
    expect(Buffer.from(await (await fetch(path)).arrayBuffer())).toEqual(content);
  });
});

describe('Slack', () => {
  const slack = async (method: string, fields: Record<string, string>) => {
    const response = await fetch(`${played.url}/slack/api/${method}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${demo('slack').token}` },
      body: new URLSearchParams(fields),
    });
    return { status: response.status, body: await response.json() };
  };

  it('keeps a reply to a mention in its thread', async () => {
    const { messages, chat } = await write('slack', { text: 'help', mention: true });
    const mention = played.taken.find(({ body }) => body.includes('app_mention'));
    const { channel, thread_ts = messages[0] } = JSON.parse(mention?.body ?? '{}').event;
    const sent = await slack('chat.postMessage', { channel, thread_ts, text: 'Yes?' });
    expect(sent.body).toMatchObject({ ok: true, channel, message: { text: 'Yes?', thread_ts } });
    expect(
      demo('slack')
        .chats.get(chat)
        ?.messages.map(({ text }) => text)
        .at(-1),
    ).toBe('Yes?');
  });

  it('accepts a file in three steps', async () => {
    await write('slack', { text: 'Hello' });
    const message = played.taken.find(({ body }) => body.includes('event_callback'));
    const { channel } = JSON.parse(message?.body ?? '{}').event;
    const start = await slack('files.getUploadURLExternal', { filename: 'a.txt', length: '5' });
    const upload = await fetch(start.body.upload_url, { method: 'POST', body: 'hello' });
    expect(await upload.text()).toBe('OK - 5');
    const files = JSON.stringify([{ id: start.body.file_id, title: 'a.txt' }]);
    const done = await slack('files.completeUploadExternal', { files, channel_id: channel });
    expect(done.body).toMatchObject({ ok: true, files: [{ id: start.body.file_id, size: 5 }] });
  });

  it('reports errors with 200, and rate limits with 429', async () => {
    expect(await slack('chat.postMessage', { channel: 'nowhere', text: 'Hi' })).toEqual({
      status: 200,
      body: { ok: false, error: 'channel_not_found' },
    });
    await set('slack', { refuse_next: 'ratelimited' });
    expect((await slack('chat.postMessage', { channel: 'nowhere', text: 'Hi' })).status).toBe(429);
  });
});

it('the pages load, and an attacker’s message runs no script on them', async () => {
  await write('whatsapp', { text: '<script>alert(1)</script>' });
  for (const path of ['/', '/mail', '/accounts', '/calls']) {
    const response = await fetch(`${played.url}${path}`);
    const page = await response.text();
    expect([path, response.status, page.includes('<script>alert')]).toEqual([path, 200, false]);
  }
});

function sendWhatsapp(body: object = whatsappText) {
  return graph('whatsapp', `${demo('whatsapp').externalId}/messages`, body);
}

async function graph(channel: Channel, path: string, body: object) {
  const response = await fetch(`${played.url}/meta/v23.0/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${demo(channel).token}` },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}
