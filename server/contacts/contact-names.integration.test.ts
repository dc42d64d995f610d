import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { receiveMessage } from '#server/inbox/messages/receive-message.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeChatVisitor } from '#test/clients/chat-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { incoming } from '#test/fixtures/incoming.ts';
import { withReceivedMail } from '#test/fixtures/received-mail.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

const { mail, bring } = withReceivedMail();

const OVERRIDDEN = 'Ada\u202e\u0007Lovelace';
const INVISIBLE = '\u200b\u2060\u3164';

/** Each channel through which a stranger provides a name. */
const CHANNELS: Record<string, (name: string) => Promise<unknown>> = {
  'by mail': (name) =>
    bring(rawMail({ From: `=?utf-8?B?${Buffer.from(name).toString('base64')}?= <ada@acme.test>` })),
  'by a provider': (name) => {
    const { workspaceId } = mail.teammates;
    const identity = { channel: 'telegram', scope: '', externalId: randomUUID(), name, phone: null } as const;
    return receiveMessage(
      ...incoming(workspaceId, { channel: 'telegram', identity, contact: { fields: {} } }),
    );
  },
};

const writeInChat = async (name: string) => {
  const visitor = await makeChatVisitor(mail.service.url, mail.teammates.workspaceId);
  return visitor.write({ name });
};

test.each(Object.entries({ ...CHANNELS, 'in the web chat': writeInChat }))(
  'an attacker %s cannot reorder or hide text through a name',
  async (_channel, write) => {
    const { workspaceId } = mail.teammates;
    await write(OVERRIDDEN);
    expect(await db().contact.findMany({ where: { workspaceId } })).toMatchObject([
      { firstName: 'Ada', lastName: 'Lovelace' },
    ]);
  },
);

test.each(Object.entries(CHANNELS))(
  'an attacker %s with an invisible name gets no name',
  async (_channel, write) => {
    const { workspaceId } = mail.teammates;
    await write(INVISIBLE);
    expect(await db().contact.findMany({ where: { workspaceId } })).toMatchObject([
      { firstName: null, lastName: null },
    ]);
  },
);

test('a visitor with an invisible name is asked for another one, and nothing is stored', async () => {
  expect(await writeInChat(INVISIBLE)).toMatchObject({
    status: 422,
    body: { errors: { name: [expect.stringContaining('visible')] } },
  });
  expect(await db().contact.findMany({ where: { workspaceId: mail.teammates.workspaceId } })).toEqual([]);
});

test('the API cleans such a name and refuses an invisible one', async () => {
  const { accessToken } = await makeConnection();
  const call = apiClient(mail.service.url, accessToken);
  expect(await call('POST', '/contacts', { name: OVERRIDDEN })).toMatchObject({
    status: 201,
    body: { first_name: 'Ada', last_name: 'Lovelace' },
  });
  expect(await call('POST', '/contacts', { name: INVISIBLE, phone: '7' })).toMatchObject({
    status: 422,
    body: { errors: { name: ['The name must have a visible character.'] } },
  });
  const conversation = { to_email: 'ada@example.com', subject: 'Order', content: 'Hello' };
  expect(await call('POST', '/conversations', { ...conversation, to_name: INVISIBLE })).toMatchObject({
    status: 422,
    body: { errors: { to_name: [expect.stringContaining('visible')] } },
  });
});
