import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { signedAddress } from '#server/inbox/channels/email/signed-address.ts';
import { mergeConversations } from '#server/inbox/conversations/merge-conversations.ts';
import { knownPlace } from '#server/inbox/messages/incoming-message.ts';
import { receiveMessage } from '#server/inbox/messages/receive-message.ts';
import { getComposer } from '#server/screens/inbox/get-composer.ts';
import { readThread, threadPage } from '#server/screens/inbox/read-thread.ts';
import { type Inbox, test as mailTest } from '#test/fixtures/received-mail-test.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

const XAVIER = 'xavier@acme.test';
const TOM = 'tom@holt.test';

const test = mailTest.extend('thread', ({ inbox, mailbox, dns }) => {
  dns.answers.set('holt.test', [['v=spf1 ip4:127.0.0.1 -all']]);
  const { workspaceId, agent } = mailbox;
  const write = (from: string, headers: Record<string, string>, body = 'Hello') =>
    bring(inbox, { from, headers, body });
  const workspace = { id: workspaceId, name: 'Acme', plan: 'growth', role: 'agent' } as const;
  return {
    write,
    composer: (conversationId: string) => getComposer(db(), { workspace, user: agent, conversationId }),
    newestItem: async (conversationId: string) => {
      const rows = await readThread(db(), { workspaceId, conversationId });
      const { items } = await threadPage(db(), rows, { workspaceId, contactName: 'The contact' });
      return items.findLast(({ kind }) => kind === 'message');
    },
    merge: (id: string, intoId: string) =>
      mergeConversations({ workspaceId, id, intoId, actor: { kind: 'teammate', teammate: agent } }),
  };
});

describe('after a merge of the emails of two people', () => {
  test.for([
    [XAVIER, XAVIER],
    [`Xavier <${XAVIER}>`, 'Xavier'],
    [`"${XAVIER}" <${XAVIER}>`, XAVIER],
  ] as const)(
    '%s is shown as the author of their mail, and not the contact',
    async ([from, name], { inbox, thread, mail }) => {
      const xavier = await thread.write(from, { 'Message-ID': '<x1@acme.test>', Cc: 'lawyer@acme.test' });
      const yara = await thread.write('yara@acme.test', { 'Message-ID': '<y1@acme.test>' });
      await thread.merge(xavier.conversationId, yara.conversationId);
      const next = await thread.write(from, {
        'Message-ID': '<x2@acme.test>',
        'In-Reply-To': '<x1@acme.test>',
        Cc: 'lawyer@acme.test',
      });
      expect(next).toMatchObject({
        conversationId: yara.conversationId,
        authorName: name,
        authorAddress: XAVIER,
      });
      expect(await thread.newestItem(yara.conversationId)).toMatchObject({
        authorName: name,
        authorAddress: XAVIER,
      });
      expect(await thread.composer(yara.conversationId)).toMatchObject({
        otherAuthor: { name, address: XAVIER, isMerged: true },
        replyCc: [],
      });
      // The API answers the conversation's contact (docs/spec.md §8).
      await inbox.reply(yara.conversationId);
      expect(mail.received.at(-1)?.to).toEqual(['yara@acme.test']);
      const again = await thread.write('yara@acme.test', {
        'Message-ID': '<y2@acme.test>',
        'In-Reply-To': '<y1@acme.test>',
      });
      expect(again).toMatchObject({ authorName: null, authorAddress: 'yara@acme.test' });
      expect((await thread.composer(yara.conversationId))?.otherAuthor).toBeNull();
    },
  );
});

test('in a chat, another contact without a name is shown by their label, and a linked one as the contact', async ({
  mailbox: { workspaceId },
  thread,
}) => {
  const ada = await db().contact.create({ data: { workspaceId, firstName: 'Ada' } });
  const others = await Promise.all([
    db().contact.create({ data: { workspaceId, phone: '+441', phoneDigits: '441' } }),
    db().contact.create({ data: { workspaceId } }),
    db().contact.create({ data: { workspaceId } }),
  ]);
  const [, visitor, linked] = others;
  await db().contactLink.create({
    data: { workspaceId, contactId: linked?.id ?? '', ownerId: ada.id },
  });
  const base = { workspaceId, channel: 'webchat', content: 'Hi', externalId: null } as const;
  const start = { conversationId: null, contact: { id: ada.id }, contactClaimed: false };
  const { conversationId } = await receiveMessage(base, knownPlace(start));
  const names: (string | null | undefined)[] = [];
  for (const { id } of others) {
    await receiveMessage(base, knownPlace({ conversationId, contact: { id }, contactClaimed: false }));
    const item = await thread.newestItem(conversationId);
    names.push(item?.kind === 'message' ? item.authorName : undefined);
  }
  expect(names).toEqual(['+441', `Visitor ${visitor?.id.slice(-4)}`, null]);
});

describe('a verified person in copy', () => {
  const MIA = { 'Message-ID': '<m1@acme.test>', Cc: `Tom Holt <${TOM}>` };
  const ANSWER = { 'Message-ID': '<t1@holt.test>', 'In-Reply-To': '<m1@acme.test>' };

  test('joins the conversation under their own name, and gets a copy of the reply to the contact', async ({
    inbox,
    thread,
  }) => {
    const mia = await thread.write('mia@acme.test', MIA);
    const tom = await thread.write(`Tom Holt <${TOM}>`, { ...ANSWER, Cc: 'mia@acme.test' });
    expect(tom).toMatchObject({ conversationId: mia.conversationId, authorName: 'Tom Holt' });
    expect(await thread.composer(mia.conversationId)).toMatchObject({
      otherAuthor: { name: 'Tom Holt', address: TOM, isMerged: false },
      replyCc: [TOM],
    });
    const events = await inbox.events();
    expect(events.filter((key) => key === 'contact.created')).toHaveLength(1);
    expect(events.filter((key) => key === 'message.received')).toHaveLength(2);
    await db().conversation.update({ where: { id: mia.conversationId }, data: { status: 'closed' } });
    const later = await thread.write(TOM, { ...ANSWER, 'Message-ID': '<t2@holt.test>' });
    expect(later.conversationId).not.toBe(mia.conversationId);
    expect(later.conversation.contact?.email).toBe(TOM);
  });

  test('of our own reply joins with its reply address', async ({ mailbox, thread, inbox, mail }) => {
    const mia = await thread.write('mia@acme.test', { 'Message-ID': '<m2@acme.test>' });
    await inbox.reply(mia.conversationId);
    await db().message.updateMany({
      where: { conversationId: mia.conversationId, direction: 'outbound' },
      data: { cc: [TOM] },
    });
    expect(mail.received).toHaveLength(1);
    const To = signedAddress('reply', mia.conversationId, mailbox.domain);
    const tom = await bring(inbox, { from: TOM, headers: { To, 'Message-ID': '<t3@holt.test>' }, to: To });
    expect(tom).toMatchObject({ conversationId: mia.conversationId, authorName: TOM });
  });
});

describe('an attacker joins no conversation', () => {
  const ANSWER = { 'In-Reply-To': '<a1@acme.test>', 'Message-ID': '<e1@evil.test>' };

  test.for([
    ['as a verified stranger', 'mia@acme.test', {}, TOM],
    ['as a person in copy who is not verified', 'mia@acme.test', { Cc: 'tom@open.test' }, 'tom@open.test'],
    ['as a person in copy whose mail is forged', 'mia@acme.test', { Cc: 'tom@bank.test' }, 'tom@bank.test'],
    ['as a person in copy of an unverified mail', 'mia@open.test', { Cc: TOM }, TOM],
    [
      'as a person in copy of a machine’s mail',
      'mia@acme.test',
      { Cc: TOM, 'Auto-Submitted': 'auto-generated' },
      TOM,
    ],
  ] as const)('%s', async ([, from, headers, sender], { mailbox, inbox, thread }) => {
    const first = await thread.write(from, { 'Message-ID': '<a1@acme.test>', ...headers });
    const to = signedAddress('reply', first.conversationId, mailbox.domain);
    const joined = await bring(inbox, { from: sender, headers: ANSWER, to });
    expect(joined.conversationId).not.toBe(first.conversationId);
  });
});

async function bring(
  inbox: Inbox,
  {
    from,
    headers,
    body = 'Hello',
    to,
  }: { from: string; headers: Record<string, string>; body?: string; to?: string },
) {
  const address = from.slice(from.lastIndexOf('<') + 1).replace('>', '');
  const raw = rawMail({ From: from, ...headers }, body);
  await inbox.bring(raw, { from: address, ...(to === undefined ? {} : { to }) });
  const newest = await inbox.newest();
  if (!newest) throw new Error('The email was not received.');
  return newest;
}
