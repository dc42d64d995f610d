import { describe, expect } from 'vitest';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { type Inbox, test } from '#test/fixtures/received-mail-test.ts';
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

describe('the offer to list a sender as a form', () => {
  const offerOf = async (inbox: Inbox, teammate: Teammate) => {
    const id = (await inbox.newest())?.conversationId ?? '';
    return (await (await signInTeammate(teammate))()).conversations
      .get({ id })
      .then((opened) => opened?.conversation.formOffer);
  };
  const write = (n: number, asked: string, headers: Record<string, string> = {}) =>
    rawMail({ 'Message-ID': `<o${n}@acme.test>`, 'Reply-To': asked, ...headers });

  test('names the person in Reply-To, says who can list it, and ends when an admin does', async ({
    inbox,
    teammates,
  }) => {
    await inbox.bring(write(1, 'Uma <uma@mail.test>'));
    const offer = { address: 'ada@acme.test', person: 'uma@mail.test' };
    expect(await offerOf(inbox, teammates.agent)).toEqual({ ...offer, mayList: false });
    expect(await offerOf(inbox, teammates.admin)).toEqual({ ...offer, mayList: true });
    const agent = await (await signInTeammate(teammates.agent))();
    await expect(agent.channels.addForm({ address: offer.address })).rejects.toThrow('owners and admins');
    const admin = await (await signInTeammate(teammates.admin))();
    await admin.channels.addForm({ address: offer.address });
    expect(await offerOf(inbox, teammates.admin)).toBeNull();
    await inbox.bring(write(2, 'bo@mail.test'));
    expect((await inbox.newest())?.conversation.contact?.claimedEmail).toBe('bo@mail.test');
    expect(await offerOf(inbox, teammates.admin)).toBeNull();
  });

  test('is not repeated for a declined sender, who can still be listed in the settings', async ({
    inbox,
    teammates,
  }) => {
    await inbox.bring(write(3, 'uma@mail.test'));
    const agent = await (await signInTeammate(teammates.agent))();
    await agent.channels.declineForm({ address: 'ada@acme.test' });
    await inbox.bring(write(4, 'bo@mail.test'));
    const newest = await inbox.newest();
    expect(newest?.conversation.contact?.email).toBe('ada@acme.test');
    expect(await offerOf(inbox, teammates.admin)).toBeNull();
    const admin = await (await signInTeammate(teammates.admin))();
    expect((await admin.channels.email()).forms).toEqual([]);
    await admin.channels.addForm({ address: 'ada@acme.test' });
    expect((await admin.channels.email()).forms).toHaveLength(1);
    await agent.channels.declineForm({ address: 'ada@acme.test' });
    expect((await admin.channels.email()).forms).toHaveLength(1);
  });

  test.for([
    ['asks for an address of the same domain', { 'Reply-To': 'sales@acme.test' }],
    ['asks for the same person elsewhere', { 'Reply-To': 'ada@home.test' }],
    ['asks for several people', { 'Reply-To': 'uma@mail.test, bo@mail.test' }],
    ['asks for nobody', { 'Reply-To': 'ada@acme.test' }],
    ['is a stranger’s, who wants the bank listed', { From: 'Bank <info@bank.test>' }],
  ] as const)('is not made for an email that %s', async ([, headers], { inbox, teammates }) => {
    await inbox.bring(write(5, 'eve@evil.test', headers));
    expect(await inbox.newest()).toBeDefined();
    expect(await offerOf(inbox, teammates.admin)).toBeNull();
  });
});
