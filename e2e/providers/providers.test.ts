import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import nodemailer from 'nodemailer';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Running, startProviders } from './start-providers.ts';
import type { Account, Channel } from './state.ts';

// The stand-in runs; a service that takes every webhook and mail is played by this file.

type Taken = { path: string; headers: IncomingHttpHeaders; body: string };

const taken: Taken[] = [];
const mails: { from: string; to: string[]; raw: Buffer }[] = [];
let answer = 200;
let running: Running;
let url: string;

const service = createServer(async (req, res) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost');
  taken.push({ path: pathname, headers: req.headers, body: Buffer.concat(chunks).toString('utf8') });
  const isRight = searchParams.get('hub.verify_token') === 'right';
  const challenge = isRight ? (searchParams.get('hub.challenge') ?? '') : '';
  res.writeHead(searchParams.has('hub.verify_token') && !isRight ? 403 : answer).end(challenge);
});

const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: async (stream, { envelope }, callback) => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const from = envelope.mailFrom ? envelope.mailFrom.address : '';
    mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks) });
    callback();
  },
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

beforeAll(async () => {
  const [port, smtpPort, servicePort, inboundSmtpPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  service.listen(servicePort, '127.0.0.1');
  mailServer.listen(inboundSmtpPort, '127.0.0.1');
  url = `http://localhost:${port}`;
  const serviceUrl = `http://127.0.0.1:${servicePort}`;
  running = await startProviders({ serviceUrl, serviceName: 'Inbox', port, smtpPort, inboundSmtpPort, url });
});

afterAll(async () => {
  await running.stop();
  service.close();
  await new Promise<void>((resolve) => mailServer.close(resolve));
});

beforeEach(async () => {
  await control('POST', '/control/reset');
  taken.length = 0;
  mails.length = 0;
  answer = 200;
});

async function control(method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect([path, response.status]).toEqual([path, 200]);
  return await response.json();
}

function demo(channel: Channel): Account {
  const accounts = [...running.providers.state.accounts.values()];
  const account = accounts.find((each) => each.channel === channel && each.workspace === 'Demo Growth');
  if (!account) throw new Error(`Demo Growth has no account of ${channel}.`);
  return account;
}

const key = (channel: Channel) => `${channel}:${demo(channel).externalId}`;

async function until<T>(what: string, find: () => T | undefined | false): Promise<T> {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = find();
    if (found) return found;
    await sleep(25);
  }
  throw new Error(`It never came about that ${what}.`);
}

const write = (channel: Channel, body: object) =>
  control('POST', `/control/accounts/${key(channel)}/messages`, body);
const set = (channel: Channel, switches: object) =>
  control('PATCH', `/control/accounts/${key(channel)}/switches`, switches);

async function graph(channel: Channel, path: string, body: object) {
  const response = await fetch(`${url}/meta/v23.0/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${demo(channel).token}` },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const whatsappText = {
  messaging_product: 'whatsapp',
  to: '+1 555 123 4567',
  type: 'text',
  text: { body: 'Hi' },
};
const sendWhatsapp = (body: object = whatsappText) =>
  graph('whatsapp', `${demo('whatsapp').externalId}/messages`, body);

describe('what a contact writes', () => {
  it('reaches the account’s address at the service, signed over the very bytes', async () => {
    await write('whatsapp', { text: 'Grüße' });
    const [webhook] = taken;
    expect(webhook?.path).toBe(new URL(demo('whatsapp').address ?? '').pathname);
    const signature = createHmac('sha256', demo('whatsapp').secret)
      .update(webhook?.body ?? '')
      .digest('hex');
    expect(webhook?.headers['x-hub-signature-256']).toBe(`sha256=${signature}`);
    expect(webhook?.body).toContain('Gr\\u00fc\\u00dfe');
  });

  it('is signed for Slack with a fresh timestamp, and carries Telegram’s secret', async () => {
    await write('slack', { text: 'Hello' });
    await write('telegram', { text: 'Hello' });
    const [slack, telegram] = taken;
    const timestamp = Number(slack?.headers['x-slack-request-timestamp']);
    expect(Math.abs(Date.now() / 1_000 - timestamp)).toBeLessThan(60);
    const base = `v0:${timestamp}:${slack?.body}`;
    const signature = createHmac('sha256', demo('slack').secret).update(base).digest('hex');
    expect(slack?.headers['x-slack-signature']).toBe(`v0=${signature}`);
    expect(telegram?.headers['x-telegram-bot-api-secret-token']).toBe(demo('telegram').secret);
  });

  it('comes three times on request, with the same bytes', async () => {
    await set('messenger', { times: 3 });
    await write('messenger', { text: 'Hello' });
    expect(taken).toHaveLength(3);
    expect(new Set(taken.map(({ body }) => body)).size).toBe(1);
  });

  it('comes newest first on request', async () => {
    await set('whatsapp', { reversed: true });
    const texts = ['first', 'second'];
    await Promise.all(texts.map((text) => write('whatsapp', { text })));
    expect(taken.map(({ body }) => texts.find((text) => body.includes(text)))).toEqual(['second', 'first']);
  });

  it('is delivered again to a service that failed', async () => {
    answer = 500;
    await write('slack', { text: 'Hello' });
    answer = 200;
    const again = await until('it was delivered again', () => taken[1]);
    expect(again.headers).toMatchObject({ 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_error' });
    expect(again.body).toBe(taken[0]?.body);
  });
});

describe('what the service sends', () => {
  it('is in the chat on WhatsApp, and its statuses follow', async () => {
    const { status, body } = await sendWhatsapp();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      messaging_product: 'whatsapp',
      contacts: [{ input: '15551234567', wa_id: '15551234567' }],
      messages: [{ id: expect.stringMatching(/^wamid\./) }],
    });
    const statuses = () => taken.map((each) => JSON.parse(each.body).entry[0].changes[0].value.statuses?.[0]);
    await until('it was read', () => statuses().some((each) => each?.status === 'read'));
    expect(statuses().map((each) => each.status)).toEqual(['sent', 'delivered', 'read']);
    expect(statuses()[0].id).toBe(body.messages[0].id);
  });

  it('reaches a person on WhatsApp by their business-scoped id alone', async () => {
    const { person } = await write('whatsapp', { from: 'Noor Haddad', text: 'Hello' });
    const { to: _, ...rest } = whatsappText;
    const { body } = await sendWhatsapp({ ...rest, recipient: person.id });
    expect(body.contacts).toEqual([{ input: person.id, user_id: person.id }]);
  });

  it('meets the closed window, which a template passes', async () => {
    await set('whatsapp', { window: 'closed' });
    const refused = await sendWhatsapp();
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({ code: 131047, type: 'OAuthException' });
    const template = { name: 'we_are_back', language: { code: 'en_US' } };
    const sent = await sendWhatsapp({ ...whatsappText, type: 'template', template });
    expect(sent.body.messages[0].message_status).toBe('accepted');
  });

  it('passes Messenger’s closed window with the tag for human agents, within 7 days alone', async () => {
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
    const echo = await until('the echo came', () => taken.find((each) => each.body.includes('is_echo')));
    expect(JSON.parse(echo.body).entry[0].messaging[0]).toMatchObject({
      sender: { id: demo('messenger').externalId },
      message: { mid: body.message_id, is_echo: true, text: 'Hi' },
    });
  });

  it('fails late on WhatsApp on request', async () => {
    await set('whatsapp', { late_failure: '131026' });
    const { body } = await sendWhatsapp();
    const failed = await until('it failed', () => taken.find((each) => each.body.includes('"failed"')));
    expect(JSON.parse(failed.body).entry[0].changes[0].value.statuses[0]).toMatchObject({
      id: body.messages[0].id,
      errors: [{ code: 131026 }],
    });
  });

  it('is refused once with the error that was chosen, or with an ended token', async () => {
    await set('whatsapp', { refuse_next: '130429' });
    expect((await sendWhatsapp()).body.error.code).toBe(130429);
    expect((await sendWhatsapp()).status).toBe(200);
    await set('whatsapp', { token_valid: false });
    expect((await sendWhatsapp()).body.error.code).toBe(190);
  });
});

it('Meta’s check of an address is passed with the right verify token alone', async () => {
  const address = `${running.providers.settings.serviceUrl}/elsewhere`;
  const verify = (verify_token: string) =>
    control('POST', `/control/accounts/${key('messenger')}/address`, { address, verify_token });
  expect(await verify('wrong')).toMatchObject({ ok: false });
  expect(demo('messenger').address).not.toBe(address);
  expect(await verify('right')).toMatchObject({ ok: true });
  expect(demo('messenger').address).toBe(address);
});

describe('Telegram', () => {
  const bot = async (method: string, fields: object, token = demo('telegram').token) => {
    const response = await fetch(`${url}/telegram/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
    });
    return { status: response.status, body: await response.json() };
  };

  it('calls the address that setWebhook named, with its secret', async () => {
    const address = `${running.providers.settings.serviceUrl}/webhooks/telegram/new`;
    expect((await bot('setWebhook', { url: address, secret_token: 'fresh' })).body).toMatchObject({
      ok: true,
    });
    await write('telegram', { text: 'Hello' });
    expect(taken[0]?.path).toBe('/webhooks/telegram/new');
    expect(taken[0]?.headers['x-telegram-bot-api-secret-token']).toBe('fresh');
    expect((await bot('getWebhookInfo', {})).body.result.url).toBe(address);
  });

  it('answers its documented errors', async () => {
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

  it('serves a contact’s file by getFile and its path', async () => {
    const content = Buffer.from('a picture');
    const files = [{ name: 'a b.png', type: 'image/png', base64: content.toString('base64') }];
    await write('telegram', { text: 'Look', files });
    const { photo } = JSON.parse(taken[0]?.body ?? '{}').message;
    const { body } = await bot('getFile', { file_id: photo.at(-1).file_id });
    const path = `${url}/telegram/file/bot${demo('telegram').token}/${body.result.file_path}`;
    expect(Buffer.from(await (await fetch(path)).arrayBuffer())).toEqual(content);
  });
});

describe('Slack', () => {
  const slack = async (method: string, fields: Record<string, string>) => {
    const response = await fetch(`${url}/slack/api/${method}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${demo('slack').token}` },
      body: new URLSearchParams(fields),
    });
    return { status: response.status, body: await response.json() };
  };

  it('keeps an answer to a mention in its thread', async () => {
    const { messages, chat } = await write('slack', { text: 'help', mention: true });
    const mention = taken.find(({ body }) => body.includes('app_mention'));
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

  it('takes a file in three steps', async () => {
    await write('slack', { text: 'Hello' });
    const message = taken.find(({ body }) => body.includes('event_callback'));
    const { channel } = JSON.parse(message?.body ?? '{}').event;
    const start = await slack('files.getUploadURLExternal', { filename: 'a.txt', length: '5' });
    const upload = await fetch(start.body.upload_url, { method: 'POST', body: 'hello' });
    expect(await upload.text()).toBe('OK - 5');
    const files = JSON.stringify([{ id: start.body.file_id, title: 'a.txt' }]);
    const done = await slack('files.completeUploadExternal', { files, channel_id: channel });
    expect(done.body).toMatchObject({ ok: true, files: [{ id: start.body.file_id, size: 5 }] });
  });

  it('says what is wrong in a 200, and a limit in a 429', async () => {
    expect(await slack('chat.postMessage', { channel: 'nowhere', text: 'Hi' })).toEqual({
      status: 200,
      body: { ok: false, error: 'channel_not_found' },
    });
    await set('slack', { refuse_next: 'ratelimited' });
    expect((await slack('chat.postMessage', { channel: 'nowhere', text: 'Hi' })).status).toBe(429);
  });
});

describe('mail', () => {
  const send = (subject: string) => {
    const { smtpPort } = running.providers.settings;
    const transport = nodemailer.createTransport({ host: 'localhost', port: smtpPort, ignoreTLS: true });
    return transport.sendMail({
      from: 'reply+abc@growth.demo.test',
      to: { name: 'Ada', address: 'ada@contacts.example' },
      subject,
      text: 'Your order left.',
      messageId: '<one@growth.demo.test>',
    });
  };

  it('is kept as it was sent, and answered in its thread with the mail quoted', async () => {
    await send('Your order');
    const [mail] = await control('GET', '/control/mails?to=ada@contacts.example');
    expect(mail).toMatchObject({ direction: 'out', subject: 'Your order', taken: true });
    expect(await control('POST', `/control/mails/${mail.id}/reply`, { text: 'Thanks' })).toMatchObject({
      taken: true,
    });
    expect(mails[0]).toMatchObject({ from: 'ada@contacts.example', to: ['reply+abc@growth.demo.test'] });
    const reply = await PostalMime.parse(mails[0]?.raw ?? '');
    expect(reply).toMatchObject({ subject: 'Re: Your order', inReplyTo: '<one@growth.demo.test>' });
    expect(reply.text).toMatch(/^Thanks\n\nOn .*wrote:\n> Your order left\./);
  });

  it.each([
    ['451', 451],
    ['550', 550],
  ])('is refused with %s when told so, once', async (chosen, code) => {
    await control('PUT', '/control/mail-answer', { answer: chosen });
    await expect(send('Refused')).rejects.toMatchObject({ responseCode: code });
    await expect(send('Taken')).resolves.toBeDefined();
  });

  it('comes back as a report to its envelope sender, from nobody (RFC 3464)', async () => {
    await control('PUT', '/control/mail-answer', { answer: 'bounce' });
    await send('Nobody there');
    const bounced = await until('the bounce came', () => mails[0]);
    expect([bounced.from, bounced.to]).toEqual(['', ['reply+abc@growth.demo.test']]);
    const raw = bounced.raw.toString('utf8');
    expect(raw).toContain('report-type=delivery-status');
    expect(raw).toMatch(
      /Final-Recipient: rfc822; ada@contacts\.example\r\nAction: failed\r\nStatus: 5\.1\.1/,
    );
    expect(raw).toContain('Message-ID: <one@growth.demo.test>');
  });
});

it('the pages are there, and nothing that others wrote is run on them', async () => {
  await write('whatsapp', { text: '<script>alert(1)</script>' });
  for (const path of ['/', '/mail', '/accounts', '/calls']) {
    const response = await fetch(`${url}${path}`);
    const page = await response.text();
    expect([path, response.status, page.includes('<script>alert')]).toEqual([path, 200, false]);
  }
});
