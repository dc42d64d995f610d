import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { makeChatVisitor } from '#test/clients/chat-client.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { type Inbox, test as receivedMailTest } from '#test/fixtures/received-mail-test.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

const test = receivedMailTest.extend('write', ({ service, teammates, inbox }) =>
  writersTo(service.url, teammates.workspaceId, inbox),
);

test.for(['by email', 'by a provider', 'in the web chat'] as const)(
  'an attacker %s cannot reorder or hide text through a name',
  async (channel, { write, teammates: { workspaceId } }) => {
    await write[channel](OVERRIDDEN);
    expect(await db().contact.findMany({ where: { workspaceId } })).toMatchObject([
      { firstName: 'Ada', lastName: 'Lovelace' },
    ]);
  },
);

test.for(['by email', 'by a provider'] as const)(
  'an attacker %s with an invisible name gets no name',
  async (channel, { write, teammates: { workspaceId } }) => {
    await write[channel](INVISIBLE);
    expect(await db().contact.findMany({ where: { workspaceId } })).toMatchObject([
      { firstName: null, lastName: null },
    ]);
  },
);

test('a visitor with an invisible name is asked for another one, and nothing is stored', async ({
  write,
  teammates: { workspaceId },
}) => {
  expect(await write['in the web chat'](INVISIBLE)).toMatchObject({
    status: 422,
    body: { errors: { name: [expect.stringContaining('visible')] } },
  });
  expect(await db().contact.findMany({ where: { workspaceId } })).toEqual([]);
});

test('the API cleans such a name and refuses an invisible one', async ({ api }) => {
  expect(await api('POST', '/contacts', { name: OVERRIDDEN })).toMatchObject({
    status: 201,
    body: { first_name: 'Ada', last_name: 'Lovelace' },
  });
  expect(await api('POST', '/contacts', { name: INVISIBLE, phone: '7' })).toMatchObject({
    status: 422,
    body: { errors: { name: ['The name must have a visible character.'] } },
  });
  const conversation = { to_email: 'ada@example.com', subject: 'Order', content: 'Hello' };
  expect(await api('POST', '/conversations', { ...conversation, to_name: INVISIBLE })).toMatchObject({
    status: 422,
    body: { errors: { to_name: [expect.stringContaining('visible')] } },
  });
});

const OVERRIDDEN = 'Ada\u202e\u0007Lovelace';
const INVISIBLE = '\u200b\u2060\u3164';

/** Returns a function for each channel through which a stranger provides a name. */
function writersTo(url: string, workspaceId: string, inbox: Inbox) {
  return {
    'by email': (name: string) => {
      const encoded = `=?utf-8?B?${Buffer.from(name).toString('base64')}?=`;
      return inbox.bring(rawMail({ From: `${encoded} <ada@acme.test>` }));
    },
    'by a provider': (name: string) => {
      const identity = {
        channel: 'telegram',
        scope: '',
        externalId: randomUUID(),
        name,
        phone: null,
      } as const;
      const contact = { fields: {} };
      return receiveMessage(...incoming(workspaceId, { channel: 'telegram', identity, contact }));
    },
    'in the web chat': async (name: string) => (await makeChatVisitor(url, workspaceId)).write({ name }),
  };
}
