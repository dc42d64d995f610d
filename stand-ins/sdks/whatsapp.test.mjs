import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WhatsAppClient } from '@kapso/whatsapp-cloud-api';
import { normalizeWebhook, verifySignature } from '@kapso/whatsapp-cloud-api/server';
import { base64, serve, until, useStandIn } from './stand-in.mjs';

const standIn = useStandIn();
const TO = '15551234567';

async function cloudApi() {
  const account = await standIn.account('whatsapp');
  const client = new WhatsAppClient({ accessToken: account.token, baseUrl: `${standIn.url}/meta` });
  return { account, client, phoneNumberId: account.external_id };
}

/** Receives webhooks as the SDK documents it: checks the signature, then reads the payload. */
async function receiveWith(account, given) {
  const events = [];
  const server = await serve(async (req, res) => {
    const url = new URL(req.url, 'http://localhost');
    if (req.method === 'GET') return res.end(url.searchParams.get('hub.challenge'));
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    const rawBody = Buffer.concat(chunks);
    const signatureHeader = req.headers['x-hub-signature-256'];
    if (!verifySignature({ appSecret: account.secret, rawBody, signatureHeader }))
      return res.writeHead(401).end();
    events.push(normalizeWebhook(JSON.parse(rawBody.toString())));
    res.end();
  });
  const address = { address: server.url, verify_token: account.verify_token, ...given };
  const verified = await standIn.control('POST', `${standIn.key(account)}/address`, address);
  assert.equal(verified.ok, true);
  return { events, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

describe('a Cloud API client', () => {
  test('sends texts, places, contacts, buttons and templates', async () => {
    const { account, client, phoneNumberId } = await cloudApi();
    const to = { phoneNumberId, to: `+${TO}` };
    const { messages } = client;
    const sent = await messages.sendText({ ...to, body: 'Grüße & <mehr>' });
    assert.match(sent.messages[0].id, /^wamid\./);
    assert.equal(sent.contacts[0].waId, TO);
    await messages.sendLocation({
      ...to,
      location: { latitude: 1.5, longitude: 2, name: 'Café', address: 'Mill Lane' },
    });
    await messages.sendContacts({
      ...to,
      contacts: [{ name: { formattedName: 'Kim Lund', firstName: 'Kim' }, phones: [{ phone: '+4520' }] }],
    });
    await messages.sendInteractiveButtons({ ...to, bodyText: 'Which?', buttons: [{ id: 'a', title: 'A' }] });
    await messages.sendTemplate({ ...to, template: { name: 'we_are_back', language: { code: 'en_US' } } });
    const [chat] = await standIn.chats(account);
    assert.deepEqual(
      chat.messages.slice(0, 4).map(({ text }) => text),
      ['Grüße & <mehr>', 'Café, Mill Lane, 1.5, 2', 'Kim Lund', 'Which?'],
    );
    assert.equal(chat.messages[4].label, 'Template we_are_back');
  });

  test('reads the errors of the Graph API', async () => {
    const { account, client, phoneNumberId } = await cloudApi();
    const wrong = new WhatsAppClient({ accessToken: 'EAA-wrong', baseUrl: `${standIn.url}/meta` });
    await assert.rejects(wrong.messages.sendText({ phoneNumberId, to: TO, body: 'Hi' }), {
      httpStatus: 401,
      code: 190,
    });
    await standIn.control('PATCH', `${standIn.key(account)}/switches`, { window: 'closed' });
    await assert.rejects(client.messages.sendText({ phoneNumberId, to: TO, body: 'Hi' }), { code: 131047 });
    await assert.rejects(
      client.messages.sendInteractiveButtons({
        phoneNumberId,
        to: TO,
        bodyText: 'Which?',
        buttons: [{ id: 'a', title: 'A' }],
      }),
      { code: 131047 },
    );
  });

  test('uploads, sends, downloads and deletes media', async () => {
    const { account, client, phoneNumberId } = await cloudApi();
    const file = new Blob(['data'], { type: 'application/pdf' });
    const { id } = await client.media.upload({ phoneNumberId, type: 'document', file, fileName: 'a.pdf' });
    await client.messages.sendDocument({
      phoneNumberId,
      to: TO,
      document: { id, filename: 'Über.pdf', caption: 'See' },
    });
    const [chat] = await standIn.chats(account);
    assert.deepEqual([chat.messages[0].text, chat.messages[0].files[0].name], ['See', 'Über.pdf']);
    const about = await client.media.get({ mediaId: id, phoneNumberId });
    assert.deepEqual([about.mimeType, Number(about.fileSize)], ['application/pdf', 4]);
    const bytes = await client.media.download({ mediaId: id, phoneNumberId, auth: 'always' });
    assert.equal(Buffer.from(bytes).toString(), 'data');
    assert.equal((await client.media.delete({ mediaId: id, phoneNumberId })).success, true);
    await assert.rejects(client.media.get({ mediaId: id, phoneNumberId }), { code: 100 });
  });

  test('receives messages, reactions and statuses with a valid signature', async () => {
    const { account, client, phoneNumberId } = await cloudApi();
    await using received = await receiveWith(account);
    const { messages } = await standIn.write(account, { text: 'Grüße' });
    await standIn.act(account, messages[0], { kind: 'react', emoji: '👍' });
    const files = [{ name: 'a.png', type: 'image/png', base64: base64('x') }];
    await standIn.write(account, { text: 'Look', files });
    const [text, reaction, image] = received.events.map((event) => event.messages[0]);
    assert.equal(text.text.body, 'Grüße');
    assert.equal(text.kapso.direction, 'inbound');
    assert.deepEqual([reaction.type, reaction.reaction.emoji], ['reaction', '👍']);
    assert.deepEqual([image.type, image.image.caption], ['image', 'Look']);
    const bytes = await client.media.download({ mediaId: image.image.id, phoneNumberId, auth: 'always' });
    assert.equal(Buffer.from(bytes).toString(), 'x');
    assert.equal((await client.messages.markRead({ phoneNumberId, messageId: text.id })).success, true);
    const sent = await client.messages.sendText({ phoneNumberId, to: TO, body: 'Hi' });
    const statuses = () =>
      received.events.flatMap((event) => event.statuses).filter(({ id }) => id === sent.messages[0].id);
    await until('it was read', () => statuses().length === 3);
    assert.deepEqual(
      statuses().map(({ status }) => status),
      ['sent', 'delivered', 'read'],
    );
  });
});
