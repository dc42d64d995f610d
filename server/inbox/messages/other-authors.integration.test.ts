import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { signedAddress } from '#server/inbox/channels/email/signed-address.ts';
import { cancelReply } from '#server/inbox/messages/cancel-reply.ts';
import { scheduleReply } from '#server/inbox/messages/schedule-reply.ts';
import { type AuthorsThread, bringMail, test } from '#test/fixtures/authors-thread-test.ts';
import { receiveMessage } from '#test/fixtures/incoming.ts';

const XAVIER = 'xavier@acme.test';
const TOM = 'tom@holt.test';

describe('the composer answers', () => {
  const ONE = { 'Message-ID': '<1@acme.test>', Subject: 'Private matter', Cc: `${TOM}, support@example.org` };

  /** Each way into a thread: who is answered, who is offered, the subject, and the recipients of the offered answer. */
  test.for<[string, string | null, string | null, string, (thread: AuthorsThread) => Promise<string>]>([
    [
      'the author of the newest message after a merge, under the subject of their own conversation',
      XAVIER,
      XAVIER,
      'Re: Bill',
      async ({ write, merge }) => {
        const xavier = await write(XAVIER, { 'Message-ID': '<x1@acme.test>', Subject: 'Bill' });
        const yara = await write('yara@acme.test', ONE);
        await merge(xavier.conversationId, yara.conversationId);
        await write(XAVIER, { 'Message-ID': '<x2@acme.test>', 'In-Reply-To': '<x1@acme.test>' });
        return yara.conversationId;
      },
    ],
    [
      'the contact of a merged conversation as long as nobody else writes',
      null,
      null,
      'Re: Private matter',
      async ({ write, merge }) => {
        const xavier = await write(XAVIER, { 'Message-ID': '<x1@acme.test>', Subject: 'Bill' });
        const yara = await write('yara@acme.test', ONE);
        await merge(xavier.conversationId, yara.conversationId);
        return yara.conversationId;
      },
    ],
    [
      'the contact when a person in copy wrote, who is offered',
      null,
      TOM,
      'Re: Private matter',
      async ({ write }) => {
        const { conversationId } = await write('yara@acme.test', ONE);
        await write(TOM, { 'Message-ID': '<t1@holt.test>', 'In-Reply-To': '<1@acme.test>' });
        return conversationId;
      },
    ],
    [
      'the author of an email that was forwarded to the mailbox',
      null,
      null,
      'Re: Private matter',
      async ({ write }) =>
        (await write('yara@acme.test', { ...ONE, To: 'help@example.org', Cc: '' })).conversationId,
    ],
    [
      'the claimed address of an unverified contact',
      null,
      null,
      'Re: Private matter',
      async ({ write }) =>
        (await write('yara@open.test', { ...ONE, 'Message-ID': '<1@open.test>' })).conversationId,
    ],
    [
      'the contact of a restored conversation',
      null,
      null,
      'Re: Private matter',
      async ({ write, remove, restore }) => {
        const { conversationId } = await write('yara@acme.test', ONE);
        await remove(conversationId);
        await restore(conversationId);
        return conversationId;
      },
    ],
  ])('%s', async ([, answered, offered, subject, enter], { thread, mail }) => {
    const id = await enter(thread);
    const contact = (await db().conversation.findUniqueOrThrow({ where: { id }, include: { contact: true } }))
      .contact;
    const yara = contact?.email ?? contact?.claimedEmail ?? '';
    expect(await thread.newestItem(id)).toMatchObject({ authorName: offered });
    // Events and the API keep the conversation's contact (docs/spec.md §8).
    const { key, body } = await db().event.findFirstOrThrow({
      where: { body: { contains: id } },
      orderBy: { createdAt: 'desc' },
    });
    expect({ key, ...JSON.parse(body) }).toMatchObject({
      key: expect.stringMatching(/^(message.received|conversation.created)$/),
      conversation: { id, contact: { id: contact?.id, email: contact?.email ?? null } },
    });
    const other = (await thread.composer(id))?.otherAuthor ?? null;
    expect(other?.address ?? null).toBe(offered);
    expect(other?.isMerged ? other.address : null).toBe(answered);
    await thread.answer(id, answered);
    expect(mail.received.at(-1)).toMatchObject({ to: [answered ?? yara], email: { subject } });
    if (answered !== null) {
      // Neither ids nor copies of the other person's emails, and the next reply goes to the same person.
      expect(mail.received.at(-1)?.email.references).toBe('<x1@acme.test> <x2@acme.test>');
      expect(await thread.composer(id)).toMatchObject({ otherAuthor: { address: answered }, replyCc: [] });
    }
    if (offered !== null) {
      await thread.answer(id, offered, [offered]);
      expect(mail.received.at(-1)?.to).toEqual([offered]);
    }
    for (const stranger of ['mallory@evil.test', 'support@example.org', yara]) {
      await expect(thread.answer(id, stranger)).rejects.toThrow(/did not write in this conversation/);
    }
  });
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
  const { conversationId } = await receiveMessage(base, { kind: 'known', target: start });
  const names: (string | null | undefined)[] = [];
  for (const { id } of others) {
    const target = { conversationId, contact: { id }, contactClaimed: false };
    await receiveMessage(base, { kind: 'known', target });
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

  test('gets a reply that is sent later also after it was edited, and is left out once its conversation is merged', async ({
    mailbox: { workspaceId, agent },
    thread,
  }) => {
    const mia = await thread.write('mia@acme.test', MIA);
    await thread.write(`Tom Holt <${TOM}>`, ANSWER);
    const other = await thread.write('yara@acme.test', { 'Message-ID': '<y1@acme.test>' });
    const { conversationId } = mia;
    const schedule = async (to: { answers?: string }, cc: string[] = []) => {
      const id = randomUUID();
      const sendAt = new Date(Date.now() + 3_600_000);
      const reply = { workspaceId, conversationId, id, author: agent, content: 'Fine.', cc, sendAt, ...to };
      await scheduleReply(reply);
      return id;
    };
    const cancel = (id: string) => cancelReply({ workspaceId, id, by: agent });
    const toTom = await schedule({ answers: TOM });
    expect((await thread.composer(conversationId))?.pending).toMatchObject([{ mailTo: [TOM] }]);
    expect(await cancel(toTom)).toMatchObject({ answers: TOM });
    expect(await cancel(await schedule({}))).toMatchObject({ answers: '' });
    const moved = [await schedule({ answers: TOM }), await schedule({}, [TOM])];
    await thread.merge(conversationId, other.conversationId);
    for (const id of moved) expect(await cancel(id)).toMatchObject({ answers: null, cc: [] });
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
    const tom = await bringMail(inbox, {
      from: TOM,
      headers: { To, 'Message-ID': '<t3@holt.test>' },
      to: To,
    });
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
    const joined = await bringMail(inbox, { from: sender, headers: ANSWER, to });
    expect(joined.conversationId).not.toBe(first.conversationId);
  });
});
