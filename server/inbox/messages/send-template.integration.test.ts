import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { listTemplates } from '#server/inbox/channels/whatsapp/templates.ts';
import { sendTemplate } from '#server/inbox/messages/send-reply.ts';
import { insertOnce } from '#server/screens/inbox/insert-once.ts';
import { test as channelTest } from '#test/fixtures/channel-test.ts';
import {
  age,
  connectMeta,
  describeObject,
  graphError,
  type MetaAccount,
  receiveUpdate,
} from '#test/fixtures/meta.ts';
import type { ProviderCall } from '#test/servers/provider-server.ts';

const test = channelTest.extend('respondUsually', { scope: 'file' }, () => respondAsCloudApi);

test('approved templates that need values only in their body are listed, over all pages', async ({
  service,
}) => {
  expect(await listTemplates(await start(service.url))).toEqual([
    {
      name: 'order_left',
      language: 'en_US',
      header: 'News',
      body: 'Hi {{1}}, order {{2}} left.',
      footer: 'Acme',
      places: ['1', '2'],
    },
    {
      name: 'greeting',
      language: 'en_US',
      header: null,
      body: 'Hello {{first_name}}',
      footer: null,
      places: ['first_name'],
    },
  ]);
});

test('a template is delivered outside the messaging window, and its text is in the thread', async ({
  service,
  provider,
}) => {
  const input = await start(service.url);
  await age(input, 48);
  expect(await send(input, {})).toMatchObject({
    send_status: 'sent',
    content: 'News\n\nHi Ada, order 7 left.\n\nAcme',
  });
  expect(provider.calls.at(-1)?.body).toMatchObject({
    to: '16505551234',
    type: 'template',
    template: {
      name: 'order_left',
      language: { code: 'en_US' },
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Ada' },
            { type: 'text', text: '7' },
          ],
        },
      ],
    },
  });
});

test('named placeholders are sent by name', async ({ service, provider }) => {
  await send(await start(service.url), { name: 'greeting', values: { first_name: 'Ada' } });
  expect(provider.calls.at(-1)?.body).toMatchObject({
    template: { components: [{ parameters: [{ parameter_name: 'first_name', text: 'Ada' }] }] },
  });
});

test('a repeated request sends a template once, in sequence and in parallel', async ({
  service,
  provider,
}) => {
  const input = await start(service.url);
  const repeat = () => sendFromPage(input, REPEATED);
  await Promise.all([repeat(), repeat()]);
  await repeat();
  const { conversationId } = input;
  expect(await db().message.findMany({ where: { conversationId, direction: 'outbound' } })).toMatchObject([
    { id: REPEATED, sendStatus: 'sent' },
  ]);
  expect(provider.calls.filter(({ body }) => JSON.stringify(body).includes('template'))).toHaveLength(1);
});

test('an attacker cannot reach a template of another workspace by its id', async ({ service }) => {
  const [input, other] = [await start(service.url), await start(service.url)];
  const { id, send_status } = await send(other, {});
  await expect(sendFromPage(input, id)).rejects.toMatchObject({
    refusal: 'invalid',
    errors: { id: [expect.anything()] },
  });
  expect(send_status).toBe('sent');
  const { conversationId } = input;
  expect(await db().message.count({ where: { conversationId, direction: 'outbound' } })).toBe(0);
});

test('a missing value and a template that is not approved are refused', async ({ service }) => {
  const input = await start(service.url);
  await expect(send(input, { values: { 1: 'Ada' } })).rejects.toMatchObject({
    errors: { value_2: ['A value for {{2}} is missing.'] },
  });
  await expect(send(input, { name: 'waiting' })).rejects.toMatchObject({ refusal: 'not_found' });
});

test('a missing Business account ID and a refusal of WhatsApp are explained in a sentence', async ({
  service,
  provider,
}) => {
  await expect(listTemplates(await start(service.url, {}))).rejects.toThrow('Business account ID');
  const input = await start(service.url);
  provider.respond(() => ({ status: 400, json: graphError(200, { message: 'No permission.' }) }));
  await expect(listTemplates(input)).rejects.toThrow('lacks a permission');
});

test('an attacker cannot list templates for a conversation of another workspace', async ({ service }) => {
  const [input, other] = [await start(service.url), await start(service.url)];
  await expect(
    listTemplates({ workspaceId: input.workspaceId, conversationId: other.conversationId }),
  ).rejects.toMatchObject({ refusal: 'not_found' });
});

const REPEATED = randomUUID();
const BUSINESS = '102290129340398';

const template = (name: string, fields: object = {}) => ({
  name,
  language: 'en_US',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'News' },
    { type: 'BODY', text: 'Hi {{1}}, order {{2}} left.', example: { body_text: [['Ada', '7']] } },
    { type: 'FOOTER', text: 'Acme' },
  ],
  id: '1',
  ...fields,
});

function respondAsCloudApi(call: ProviderCall): object | undefined {
  const { method, path } = call;
  if (method === 'POST' && path.endsWith('/messages'))
    return { messages: [{ id: `wamid.${Math.random()}` }] };
  if (!path.includes('/message_templates?')) return describeObject(call);
  const named = [{ type: 'body', text: 'Hello {{first_name}}' }];
  const picture = [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Look' },
  ];
  const link = [
    { type: 'BODY', text: 'Track it' },
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Track', url: 'https://acme.example/{{1}}' }] },
  ];
  const code = [
    { type: 'BODY', text: 'Your code' },
    { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', text: 'Copy', example: ['25OFF'] }] },
  ];
  const offer = [
    { type: 'BODY', text: 'Today' },
    { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Soon over', has_expiration: true } },
  ];
  return path.includes('after=')
    ? { data: [template('greeting', { components: named })] }
    : {
        data: [
          template('order_left'),
          template('waiting', { status: 'PENDING' }),
          template('picture', { components: picture }),
          template('link', { components: link }),
          template('code', { components: code }),
          template('offer', { components: offer }),
        ],
        paging: { cursors: { after: 'MjQZD' }, next: 'https://graph.facebook.com/next' },
      };
}

async function start(url: string, more: Record<string, string> = { businessAccountId: BUSINESS }) {
  const account = await connectMeta('whatsapp', 'phoneNumberId', more);
  const messages = [
    { from: '16505551234', id: `wamid.${Math.random()}`, timestamp: '1', type: 'text', text: { body: 'Hi' } },
  ];
  const value = { metadata: { phone_number_id: account.externalId }, messages };
  await receiveUpdate(url, account, { entry: [{ changes: [{ field: 'messages', value }] }] });
  const { id } = await db().conversation.findFirstOrThrow({ where: { workspaceId: account.workspaceId } });
  return { ...account, conversationId: id };
}

const send = (
  { workspaceId, conversationId, by }: MetaAccount & { conversationId: string },
  fields: object,
) =>
  sendTemplate({
    ...{
      workspaceId,
      conversationId,
      by,
      name: 'order_left',
      language: 'en_US',
      values: { 1: 'Ada', 2: '7' },
    },
    ...fields,
  });

const sendFromPage = (input: MetaAccount & { conversationId: string }, id: string) =>
  insertOnce('messages', { workspaceId: input.workspaceId, userId: input.by.id, id }, () =>
    send(input, { id }),
  );
