import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { test } from '#test/fixtures/received-mail-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

describe('mail to a mailbox with a subaddress', () => {
  test('reaches the mailbox, and the thread shows the subaddress, also when no field of the mail names it', async ({
    teammates,
    mailbox,
    inbox,
  }) => {
    const tagged = mailbox.address.replace('@', '+billing@');
    await inbox.bring(rawMail({ To: tagged.toUpperCase(), 'Message-ID': '<1@acme.test>' }), { to: tagged });
    await inbox.bring(rawMail({ To: 'list@acme.test', 'Message-ID': '<2@acme.test>' }), {
      to: [mailbox.address, tagged.toUpperCase()],
    });
    const messages = await inbox.messages();
    const { id: mailboxId } = await db().mailbox.findFirstOrThrow({ where: { address: mailbox.address } });
    expect(messages.map(({ conversation }) => conversation.mailboxId)).toEqual([mailboxId, mailboxId]);
    const screens = await (await signInTeammate(teammates.owner))();
    const recipientsOf = async (id = '') => {
      const opened = await screens.conversations.get({ id });
      return opened?.conversation.items.flatMap((item) => (item.kind === 'message' ? [item.recipients] : []));
    };
    expect(await recipientsOf(messages[0]?.conversationId)).toEqual([{ to: [tagged], cc: [], bcc: [] }]);
    expect(await recipientsOf(messages[1]?.conversationId)).toEqual([
      { to: ['list@acme.test', tagged], cc: [], bcc: [] },
    ]);
  });

  test('reaches the mailbox that has the longest part of the address', async ({ mailbox, inbox }) => {
    const { workspaceId, address } = mailbox;
    const own = address.replace('@', '+eu@');
    const { id } = await db().mailbox.create({ data: { workspaceId, address: own, name: 'Europe' } });
    for (const to of [own, address.replace('@', '+eu+de@')]) {
      await inbox.bring(rawMail({ To: to, 'Message-ID': `<${to}>` }), { to });
    }
    const messages = await inbox.messages();
    expect(messages.map(({ conversation }) => conversation.mailboxId)).toEqual([id, id]);
  });

  test('from itself is never answered, so that a mailbox does not write to itself', async ({
    mail,
    mailbox,
    inbox,
    dns,
  }) => {
    const tagged = mailbox.address.replace('@', '+x@');
    dns.answers.set(mailbox.domain, [['v=spf1 ip4:127.0.0.1 -all']]);
    await inbox.bring(rawMail({ From: tagged, To: mailbox.address }), { from: tagged });
    const received = await inbox.newest();
    expect(received).toMatchObject({ automatic: false });
    const reply = await inbox.reply(received?.conversationId ?? '');
    expect(reply).toMatchObject({ send_status: 'failed' });
    expect(reply.delivery_error).toContain('one of your own addresses');
    expect(mail.received).toEqual([]);
  });
});
