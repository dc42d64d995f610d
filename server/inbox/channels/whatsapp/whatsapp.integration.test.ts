import { describe, expect, test, vi } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { log } from '#server/core/log.ts';
import { processUpdates, retryUpdate } from '#server/inbox/provider-updates/process-updates.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { messagesIn, metaId, replyIn, sign } from '#test/fixtures/meta.ts';
import { withWhatsapp } from '#test/fixtures/whatsapp.ts';

const {
  cloudApi,
  service,
  connect,
  receive,
  call,
  ADA,
  BSUID,
  change,
  webhook,
  messageOf,
  contacts,
  written,
  contentOf,
  sends,
} = withWhatsapp();

describe('a person on WhatsApp', () => {
  test('becomes a contact with a conversation, and three events are recorded', async () => {
    const account = await connect();
    await makeConnection({ workspaceId: account.workspaceId, teammate: account.by });
    await receive(account, written(account));
    expect((await recordedEvents(account.workspaceId)).map(({ event }) => event)).toEqual([
      'contact.created',
      'conversation.created',
      'message.received',
    ]);
    const contact = await db().contact.findFirstOrThrow({ where: { workspaceId: account.workspaceId } });
    expect(contact).toMatchObject({ firstName: 'Sheena', lastName: 'Nelson', phone: `+${ADA}` });
    expect(await messagesIn(account)).toMatchObject([
      { content: 'Does it come in another color?', direction: 'inbound' },
    ]);
  });

  test('without a phone number is identified and answered by the user id', async () => {
    const account = await connect();
    const person = { profile: { name: 'Sheena', username: 'sheena' }, user_id: BSUID };
    const hidden = () => messageOf({ from: undefined, from_user_id: BSUID });
    for (let time = 0; time < 2; time += 1) {
      await receive(account, webhook(change(account, { contacts: [person], messages: [hidden()] })));
    }
    const people = await db().contact.findMany({ where: { workspaceId: account.workspaceId } });
    expect(people).toMatchObject([{ firstName: 'Sheena', phone: null }]);
    expect(await replyIn(account)).toMatchObject({ send_status: 'sent' });
    expect(sends().at(-1)?.body).toMatchObject({ recipient: BSUID });
    expect(sends().at(-1)?.body).not.toHaveProperty('to');
  });

  test('stays the same contact in one conversation when a user id is added and the number is hidden', async () => {
    const account = await connect();
    const both = [{ profile: { name: 'Sheena' }, wa_id: ADA, user_id: BSUID }];
    const alone = [{ profile: { name: 'Sheena' }, user_id: BSUID }];
    await receive(account, written(account));
    await receive(
      account,
      webhook(change(account, { contacts: both, messages: [messageOf({ from_user_id: BSUID })] })),
    );
    await receive(
      account,
      webhook(
        change(account, { contacts: alone, messages: [messageOf({ from: undefined, from_user_id: BSUID })] }),
      ),
    );
    expect(await messagesIn(account)).toHaveLength(3);
    const { workspaceId } = account;
    expect(await db().conversation.count({ where: { workspaceId } })).toBe(1);
    expect(await db().contact.count({ where: { workspaceId } })).toBe(1);
    expect(await db().contactIdentity.count({ where: { workspaceId } })).toBe(2);
  });

  test.each([
    [
      'a location',
      { type: 'location', location: { latitude: 1.5, longitude: -2, name: 'Shop' } },
      'Location: Shop, 1.5, -2',
    ],
    [
      'a contact',
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Bob' }, phones: [{ phone: '+1 555' }] }] },
      'Contact: Bob, +1 555',
    ],
    ['a button', { type: 'button', button: { text: 'Yes', payload: 'y' } }, 'Yes'],
    [
      'a reply button',
      {
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id: '1', title: 'Track' } },
      },
      'Track',
    ],
    [
      'a list entry',
      {
        type: 'interactive',
        interactive: { type: 'list_reply', list_reply: { id: '1', title: 'Express', description: '1 day' } },
      },
      'Express\n1 day',
    ],
    [
      'a form',
      {
        type: 'interactive',
        interactive: {
          type: 'nfm_reply',
          nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"flow_token":"x","size":"L"}' },
        },
      },
      'Sent\nsize: L',
    ],
    [
      'an order',
      {
        type: 'order',
        order: { text: 'Please', product_items: [{ product_retailer_id: 'A1', quantity: 2 }] },
      },
      'Order: 2 × A1\nPlease',
    ],
    [
      'a type that the API does not support',
      {
        type: 'unsupported',
        errors: [{ code: 131051, title: 'Message type unknown' }],
        unsupported: { type: 'poll_creation' },
      },
      '[The contact sent something that cannot be shown here: poll creation.]',
    ],
    [
      'an unknown type',
      { type: 'hologram' },
      '[The contact sent something that cannot be shown here: hologram.]',
    ],
  ])('who sends %s has it shown as text', async (_what, given, content) => {
    expect(await contentOf(await connect(), given)).toBe(content);
  });

  test.each(['image', 'video', 'audio', 'document', 'sticker'])(
    'who sends a file (%s) has it fetched with the account’s token',
    async (type) => {
      const account = await connect();
      const bytes = Buffer.from('ffd8ffe000104a46494600', 'hex');
      service.provider.respond((asked) => {
        if (asked.path === '/file') return { bytes };
        return asked.path.includes('/2754859441498128?')
          ? { json: { url: `${service.provider.url}/file`, mime_type: 'x', id: '2754859441498128' } }
          : { json: cloudApi(asked) ?? {} };
      });
      const media = { id: '2754859441498128', mime_type: 'image/jpeg; x=1', sha256: 'x', caption: 'Broken' };
      await receive(account, written(account, { type, text: undefined, [type]: media }));
      const [message] = await messagesIn(account);
      expect(message).toMatchObject({ content: 'Broken', attachments: [{ sizeBytes: bytes.length }] });
      expect(service.provider.calls.at(-1)?.headers.authorization).toBe(`Bearer ${account.accessToken}`);
    },
  );

  test.each([
    'https://evil.example/file',
    'http://169.254.169.254/latest',
    'https://fbcdn.net.evil.example/x',
  ])('cannot make the service fetch %s, or send its token there', async (url) => {
    const account = await connect();
    service.provider.respond((asked) =>
      asked.path.includes('/7?') ? { json: { url } } : { json: cloudApi(asked) ?? {} },
    );
    expect(await contentOf(account, { type: 'image', image: { id: '7', mime_type: 'image/png' } })).toBe(
      '[The file “image.png” is missing: it could not be fetched.]',
    );
  });

  test('who edits or deletes a message updates the thread, without a second event', async () => {
    const account = await connect();
    await makeConnection({ workspaceId: account.workspaceId, teammate: account.by });
    const message = messageOf();
    await receive(account, webhook(change(account, { contacts, messages: [message] })));
    const edit = { original_message_id: message.id, message: { type: 'text', text: { body: 'In red?' } } };
    await receive(
      account,
      written(account, { type: 'edit', text: undefined, edit, timestamp: '1749416400' }),
    );
    expect(await messagesIn(account)).toMatchObject([{ content: 'In red?', editedAt: expect.any(Date) }]);
    const revoke = { original_message_id: message.id };
    await receive(
      account,
      written(account, { type: 'revoke', text: undefined, revoke, timestamp: '1749416500' }),
    );
    expect(await messagesIn(account)).toMatchObject([{ content: '[The contact deleted this message.]' }]);
    expect(await recordedEvents(account.workspaceId)).toHaveLength(3);
  });

  test('who reacts to a message adds no message', async () => {
    const account = await connect();
    const reaction = { message_id: 'wamid.x', emoji: '👍' };
    await receive(account, written(account, { type: 'reaction', text: undefined, reaction }));
    expect(await messagesIn(account)).toEqual([]);
  });

  test('is received with each message of a webhook with two entries', async () => {
    const account = await connect();
    const several = webhook(
      change(account, { contacts, messages: [messageOf(), messageOf()] }),
      change(account, { statuses: [{ id: 'wamid.unknown', status: 'read', timestamp: '1' }] }),
    );
    several.entry.push(...written(account).entry);
    await receive(account, several);
    expect(await messagesIn(account)).toHaveLength(3);
  });
});

describe('a message is received once', () => {
  test('when it arrives three times, in another order, ten times in parallel, and in another body', async () => {
    const account = await connect();
    const message = messageOf();
    const body = webhook(change(account, { contacts, messages: [message] }));
    for (let time = 0; time < 3; time += 1) await receive(account, body);
    await Promise.all(Array.from({ length: 10 }, () => call(account, body)));
    await receive(account, webhook(change(account, { contacts, messages: [message, messageOf()] })));
    const others = [written(account), written(account), written(account)];
    for (const each of [...others.toReversed(), ...others]) await receive(account, each);
    await Promise.all([processUpdates(account.id), processUpdates(account.id)]);
    expect(await messagesIn(account)).toHaveLength(5);
  });

  test('when it arrives ten times in parallel, and two workers process it', async () => {
    const account = await connect();
    const body = written(account);
    const statuses = await Promise.all(Array.from({ length: 10 }, () => call(account, body)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    await Promise.all([processUpdates(account.id), processUpdates(account.id)]);
    expect(await messagesIn(account)).toHaveLength(1);
  });

  test('when its edit arrives first', async () => {
    const account = await connect();
    const message = messageOf();
    const edit = { original_message_id: message.id, message: { type: 'text', text: { body: 'Edited' } } };
    await receive(account, written(account, { type: 'edit', text: undefined, edit }));
    await receive(account, webhook(change(account, { contacts, messages: [message] })));
    const [waiting] = await db().inboundUpdate.findMany({
      where: { accountId: account.id, processedAt: null },
    });
    await retryUpdate(waiting?.id ?? '');
    expect(await messagesIn(account)).toMatchObject([{ content: 'Edited' }]);
  });

  test('even when the worker dies between the response and the processing', async () => {
    const account = await connect();
    expect(await call(account, written(account))).toBe(200);
    expect(await messagesIn(account)).toEqual([]);
    expect(await db().inboundUpdate.count({ where: { accountId: account.id, processedAt: null } })).toBe(1);
    await processUpdates(account.id);
    expect(await messagesIn(account)).toHaveLength(1);
  });
});

describe('an attacker who calls the webhook', () => {
  test.each([
    ['without a signature', () => ({})],
    ['with a wrong signature', () => ({ 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` })],
    ['with a SHA-1 signature', () => ({ 'x-hub-signature': `sha1=${'0'.repeat(40)}` })],
  ])('%s is refused, and nothing is stored', async (_how, headers) => {
    const account = await connect();
    expect(await call(account, written(account), headers())).toBe(401);
    expect(await db().inboundUpdate.count({ where: { accountId: account.id } })).toBe(0);
  });

  test('with the body changed after signing is refused', async () => {
    const account = await connect();
    const signature = sign(JSON.stringify(written(account)), account.appSecret);
    expect(await call(account, written(account), { 'x-hub-signature-256': signature })).toBe(401);
  });

  test('with the secret of another account is refused', async () => {
    const [account, other] = [await connect(), await connect()];
    expect(await call({ ...account, appSecret: other.appSecret }, written(account))).toBe(401);
  });

  test('cannot write into another number through their own webhook address', async () => {
    const [victim, attacker] = [await connect(), await connect()];
    expect(await call(attacker, written(victim))).toBe(200);
    await Promise.all([processUpdates(victim.id), processUpdates(attacker.id)]);
    expect([...(await messagesIn(victim)), ...(await messagesIn(attacker))]).toEqual([]);
    expect(await db().inboundUpdate.count({ where: { accountId: { in: [victim.id, attacker.id] } } })).toBe(
      0,
    );
  });
});

test('two numbers of one app share an address, and each receives its own messages', async () => {
  const first = await connect();
  const second = await connect({ appSecret: first.appSecret });
  const body = webhook(
    ...[first, second].flatMap((each) => written(each).entry.flatMap(({ changes }) => changes)),
  );
  expect(await call(first, body)).toBe(200);
  await Promise.all([processUpdates(first.id), processUpdates(second.id)]);
  expect(await messagesIn(first)).toHaveLength(1);
  expect(await messagesIn(second)).toHaveLength(1);
});

test.each([
  ['the sender', { from: '1650\0' }],
  ['the user', { from: undefined, from_user_id: 'US.1\0' }],
  ['the message', { id: 'wamid.\0' }],
])(
  'a signed body with U+0000 in the id of %s is dropped with one log line and not retried',
  async (_id, given) => {
    const account = await connect();
    const warned = vi.spyOn(log(), 'warn').mockClear();
    await receive(account, webhook(change(account, { messages: [messageOf(given)] })));
    expect(await db().inboundUpdate.findMany({ where: { accountId: account.id } })).toMatchObject([
      { attempts: 1, error: null, processedAt: expect.any(Date) },
    ]);
    expect(await messagesIn(account)).toEqual([]);
    expect(warned.mock.calls.map(([, event]) => event)).toEqual(['update.malformed']);
    warned.mockRestore();
  },
);

test('a signed body for a number with U+0000 gets 200 and is ignored', async () => {
  const account = await connect();
  expect(await call(account, written({ externalId: `${metaId()}\0` }))).toBe(200);
});

test('a signed body that is not JSON gets 400, and a body without updates gets 200', async () => {
  const account = await connect();
  expect(await call(account, 'no json')).toBe(400);
  for (const body of [[], 7, null, {}, { entry: 'x' }, written({ externalId: metaId() })]) {
    expect(await call(account, body)).toBe(200);
  }
  expect(await db().inboundUpdate.count({ where: { accountId: account.id } })).toBe(0);
});
