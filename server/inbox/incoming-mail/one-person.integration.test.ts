import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/received-mail-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

describe('a domain in Unicode and in ASCII is one domain', () => {
  test.for([
    ['info@xn--mller-kva.example', 'info@müller.example'],
    ['info@müller.example', 'INFO@XN--MLLER-KVA.EXAMPLE'],
  ] as const)(
    'mail from %s, then from %s, has one contact, which the screens show in Unicode',
    async (froms, { service, teammates, mailbox, inbox }) => {
      for (const [index, from] of froms.entries()) {
        await inbox.bring(rawMail({ From: `Info <${from}>`, 'Message-ID': `<${index}@mueller.example>` }), {
          from: 'bounces@mueller.example',
        });
      }
      const messages = await inbox.messages();
      const [contactId, ...others] = new Set(messages.map(({ conversation }) => conversation.contactId));
      expect([messages.length, others]).toEqual([2, []]);
      const screens = await (await signInTeammate(teammates.owner))();
      const opened = await screens.conversations.get({ id: messages[0]?.conversationId ?? '' });
      expect(opened?.conversation.contact).toMatchObject({ id: contactId, email: 'info@müller.example' });
      const { accessToken } = await makeConnection({
        workspaceId: mailbox.workspaceId,
        teammate: teammates.owner,
      });
      const api = apiClient(service.url, accessToken);
      for (const email of ['info@müller.example', 'info@xn--mller-kva.example']) {
        const found = await api('GET', `/contacts/search?email=${encodeURIComponent(email)}`);
        expect(found.body).toMatchObject([{ id: contactId, email: 'info@xn--mller-kva.example' }]);
        const duplicate = await api('POST', '/contacts', { name: 'Info', email });
        expect(duplicate.status).toBe(422);
      }
    },
  );

  test('so a blocked domain is refused in both forms', async ({ mailbox: { workspaceId }, inbox }) => {
    const value = 'xn--spm-rla.example';
    await db().blockedSender.create({
      data: { workspaceId, kind: 'domain', value, createdByName: 'Ada' },
    });
    for (const from of ['a@späm.example', `a@${value}`]) {
      await expect(inbox.bring(rawMail({ From: from }), { from: 'b@other.test' })).rejects.toThrow('550');
    }
    expect(await inbox.messages()).toEqual([]);
  });
});

test.for([
  ['"Doe, Jane (ACME)" <jane@acme.test>', 'Jane', 'Doe (ACME)'],
  ['"\'Bo Lang\'" <bo@acme.test>', 'Bo', 'Lang'],
  ['=?utf-8?Q?M=C3=BCller=2C_Anna?= <anna@acme.test>', 'Anna', 'Müller'],
  ['"Acme, Inc." <office@acme.test>', 'Acme,', 'Inc.'],
] as const)('mail from %s creates %s %s', async ([from, firstName, lastName], { inbox }) => {
  await inbox.bring(rawMail({ From: from }));
  expect((await inbox.newest())?.conversation.contact).toMatchObject({ firstName, lastName });
});
