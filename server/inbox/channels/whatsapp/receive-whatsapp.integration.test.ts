import { describe, expect } from 'vitest';
import { mergeContacts } from '#server/contacts/merge-contacts.ts';
import { db } from '#server/core/database/prisma.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { processUpdates, retryUpdate } from '#server/inbox/provider-updates/process-updates.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { messagesIn, replyIn } from '#test/fixtures/meta.ts';
import { reactionsIn } from '#test/fixtures/reactions-in.ts';
import {
  ADA,
  BSUID,
  change,
  cloudApi,
  contacts,
  messageOf,
  test,
  webhook,
  written,
} from '#test/fixtures/whatsapp-test.ts';

describe('a person on WhatsApp', () => {
  test('becomes a contact with a conversation, and three events are recorded', async ({ whatsapp }) => {
    const account = await whatsapp.connect();
    await makeConnection({ workspaceId: account.workspaceId, teammate: account.by });
    await whatsapp.receive(account, written(account));
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

  test('without a phone number is identified and answered by the user id', async ({ whatsapp }) => {
    const account = await whatsapp.connect();
    const person = { profile: { name: 'Sheena', username: 'sheena' }, user_id: BSUID };
    const hidden = () => messageOf({ from: undefined, from_user_id: BSUID });
    for (let time = 0; time < 2; time += 1) {
      await whatsapp.receive(account, webhook(change(account, { contacts: [person], messages: [hidden()] })));
    }
    const people = await db().contact.findMany({ where: { workspaceId: account.workspaceId } });
    expect(people).toMatchObject([{ firstName: 'Sheena', phone: null }]);
    expect(await replyIn(account)).toMatchObject({ send_status: 'sent' });
    expect(whatsapp.sends().at(-1)?.body).toMatchObject({ recipient: BSUID });
    expect(whatsapp.sends().at(-1)?.body).not.toHaveProperty('to');
  });

  test('stays the same contact in one conversation when a user id is added and the number is hidden', async ({
    whatsapp,
  }) => {
    const account = await whatsapp.connect();
    const both = [{ profile: { name: 'Sheena' }, wa_id: ADA, user_id: BSUID }];
    const alone = [{ profile: { name: 'Sheena' }, user_id: BSUID }];
    await whatsapp.receive(account, written(account));
    await whatsapp.receive(
      account,
      webhook(change(account, { contacts: both, messages: [messageOf({ from_user_id: BSUID })] })),
    );
    await whatsapp.receive(
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

  test.for([
    ['by number', {}, {}],
    ['by user id', { from_user_id: BSUID }, { from_user_id: 'US.2' }],
  ] as const)(
    'with two numbers is answered at the one they wrote from, %s',
    async ([, first, second], { whatsapp }) => {
      const account = await whatsapp.connect();
      const { workspaceId, by } = account;
      const write = (from: string, given: object) =>
        whatsapp.receive(account, webhook(change(account, { messages: [messageOf({ from, ...given })] })));
      await write(ADA, first);
      await write('16505550199', second);
      const [into, merged] = await db().contact.findMany({ where: { workspaceId } });
      const pair = { workspaceId, id: merged?.id ?? '', intoId: into?.id ?? '' };
      await mergeContacts({ ...pair, actor: { kind: 'teammate', teammate: by } });
      await write(ADA, first);
      const [answered] = await db().conversation.findMany({
        where: { workspaceId },
        orderBy: { lastMessageAt: 'desc' },
      });
      const actor = { kind: 'teammate' as const, teammate: by };
      await sendReply({ workspaceId, id: answered?.id ?? '', actor, content: 'On its way.' });
      expect(whatsapp.sends().at(-1)?.body).toMatchObject(
        'from_user_id' in first ? { recipient: BSUID } : { to: ADA },
      );
    },
  );

  test.for([
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
      'a question about a product of the catalog',
      { text: { body: 'In red?' }, context: { referred_product: { product_retailer_id: 'A1' } } },
      '[Product: A1]\nIn red?',
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
  ] as const)('who sends %s has it shown as text', async ([_what, input, content], { whatsapp }) => {
    expect(await whatsapp.contentOf(await whatsapp.connect(), input)).toBe(content);
  });

  test.for(['image', 'video', 'audio', 'document', 'sticker'])(
    'who sends a file (%s) has it fetched with the account’s token',
    async (type, { provider, whatsapp }) => {
      const account = await whatsapp.connect();
      const bytes = Buffer.from('ffd8ffe000104a46494600', 'hex');
      provider.respond((asked) => {
        if (asked.path === '/file') return { bytes };
        return asked.path.includes('/2754859441498128?')
          ? { json: { url: `${provider.url}/file`, mime_type: 'x', id: '2754859441498128' } }
          : { json: cloudApi(asked) ?? {} };
      });
      const media = { id: '2754859441498128', mime_type: 'image/jpeg; x=1', sha256: 'x', caption: 'Broken' };
      await whatsapp.receive(account, written(account, { type, text: undefined, [type]: media }));
      const [message] = await messagesIn(account);
      expect(message).toMatchObject({ content: 'Broken', attachments: [{ sizeBytes: bytes.length }] });
      expect(provider.calls.at(-1)?.headers.authorization).toBe(`Bearer ${account.accessToken}`);
    },
  );

  test.for([
    'https://evil.example/file',
    'http://169.254.169.254/latest',
    'https://fbcdn.net.evil.example/x',
  ])('cannot make the service fetch %s, or send its token there', async (url, { provider, whatsapp }) => {
    const account = await whatsapp.connect();
    provider.respond((asked) =>
      asked.path.includes('/7?') ? { json: { url } } : { json: cloudApi(asked) ?? {} },
    );
    expect(
      await whatsapp.contentOf(account, { type: 'image', image: { id: '7', mime_type: 'image/png' } }),
    ).toBe('[The file “image.png” is missing: it could not be fetched.]');
  });

  test('who edits or deletes a message updates the thread, without a second event', async ({ whatsapp }) => {
    const account = await whatsapp.connect();
    await makeConnection({ workspaceId: account.workspaceId, teammate: account.by });
    const message = messageOf();
    await whatsapp.receive(account, webhook(change(account, { contacts, messages: [message] })));
    const edit = { original_message_id: message.id, message: { type: 'text', text: { body: 'In red?' } } };
    await whatsapp.receive(
      account,
      written(account, { type: 'edit', text: undefined, edit, timestamp: '1749416400' }),
    );
    expect(await messagesIn(account)).toMatchObject([{ content: 'In red?', editedAt: expect.any(Date) }]);
    const revoke = { original_message_id: message.id };
    await whatsapp.receive(
      account,
      written(account, { type: 'revoke', text: undefined, revoke, timestamp: '1749416400' }),
    );
    expect(await messagesIn(account)).toMatchObject([{ content: '[The contact deleted this message.]' }]);
    expect(await recordedEvents(account.workspaceId)).toHaveLength(3);
  });

  test('who opens the chat for the first time, reacts to an unknown message, or writes in a group, adds no message', async ({
    whatsapp,
  }) => {
    const account = await whatsapp.connect();
    const reaction = { message_id: 'wamid.x', emoji: '👍' };
    await whatsapp.receive(account, written(account, { type: 'reaction', text: undefined, reaction }));
    await whatsapp.receive(account, written(account, { type: 'request_welcome', text: undefined }));
    await whatsapp.receive(account, written(account, { group_id: 'Y2FwaV9ncm91cDox' }));
    expect([await messagesIn(account), await reactionsIn(account)]).toEqual([[], []]);
  });

  test('is received with each message of a webhook with two entries', async ({ whatsapp }) => {
    const account = await whatsapp.connect();
    const several = webhook(
      change(account, { contacts, messages: [messageOf(), messageOf()] }),
      change(account, { statuses: [{ id: 'wamid.unknown', status: 'read', timestamp: '1' }] }),
    );
    several.entry.push(...written(account).entry);
    await whatsapp.receive(account, several);
    expect(await messagesIn(account)).toHaveLength(3);
  });
});

describe('a message is received once', () => {
  test('when it arrives three times, in another order, ten times in parallel, and in another body', async ({
    whatsapp,
  }) => {
    const account = await whatsapp.connect();
    const message = messageOf();
    const body = webhook(change(account, { contacts, messages: [message] }));
    for (let time = 0; time < 3; time += 1) await whatsapp.receive(account, body);
    await Promise.all(Array.from({ length: 10 }, () => whatsapp.call(account, body)));
    await whatsapp.receive(account, webhook(change(account, { contacts, messages: [message, messageOf()] })));
    const others = [written(account), written(account), written(account)];
    for (const each of [...others.toReversed(), ...others]) await whatsapp.receive(account, each);
    await Promise.all([processUpdates(account.id), processUpdates(account.id)]);
    expect(await messagesIn(account)).toHaveLength(5);
  });

  test('when it arrives ten times in parallel, and two workers process it', async ({ whatsapp }) => {
    const account = await whatsapp.connect();
    const body = written(account);
    const statuses = await Promise.all(Array.from({ length: 10 }, () => whatsapp.call(account, body)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    await Promise.all([processUpdates(account.id), processUpdates(account.id)]);
    expect(await messagesIn(account)).toHaveLength(1);
  });

  test('when its edit arrives first', async ({ whatsapp }) => {
    const account = await whatsapp.connect();
    const message = messageOf();
    const edit = { original_message_id: message.id, message: { type: 'text', text: { body: 'Edited' } } };
    await whatsapp.receive(account, written(account, { type: 'edit', text: undefined, edit }));
    await whatsapp.receive(account, webhook(change(account, { contacts, messages: [message] })));
    const [waiting] = await db().inboundUpdate.findMany({
      where: { accountId: account.id, processedAt: null },
    });
    await retryUpdate(waiting?.id ?? '');
    expect(await messagesIn(account)).toMatchObject([{ content: 'Edited' }]);
  });

  test('even when the worker dies between the response and the processing', async ({ whatsapp }) => {
    const account = await whatsapp.connect();
    expect(await whatsapp.call(account, written(account))).toBe(200);
    expect(await messagesIn(account)).toEqual([]);
    expect(await db().inboundUpdate.count({ where: { accountId: account.id, processedAt: null } })).toBe(1);
    await processUpdates(account.id);
    expect(await messagesIn(account)).toHaveLength(1);
  });
});
