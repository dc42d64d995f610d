import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { refuseBlocked } from '#server/inbox/blocked-senders/find-blocking.ts';
import { lookUpMailSender } from '#server/inbox/incoming-mail/look-up-mail-sender.ts';
import { receiveMail } from '#server/inbox/incoming-mail/receive-mail.ts';
import { YEARS } from '#test/database/large-installation.ts';
import { readingOf } from '#test/database/read-plan.ts';
import { makeContact } from '#test/fixtures/conversations.ts';
import { findWorkspace, largeTemplate } from '#test/fixtures/large-workspace-test.ts';
import { test as mailTest } from '#test/fixtures/received-mail-test.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

// The lookups of claims, blocked senders and removed conversations must not grow with the workspace.

const test = mailTest
  .extend('template', { scope: 'file' }, () => largeTemplate)
  .extend('years', { scope: 'file' }, ({ service: _ }) => findWorkspace(YEARS));

/** Maximum number of rows that a page of 50 conversations reads, with their details. */
const ROWS_MAX = 700;

test.for<[string, string]>([
  ['fails', 'charles@example.test'],
  ['proves nothing', 'somebody@tiny.test'],
])('a mail that %s reads few rows to find its sender', async ([_name, from], { inbound, dns, years }) => {
  const { workspaceId } = years;
  // Thousands of contacts claim addresses of this domain, which does not allow this machine.
  dns.answers.set('example.test', [['v=spf1 ip4:192.0.2.1 -all']]);
  dns.answers.set('_dmarc.example.test', [['v=DMARC1; p=reject']]);
  await db().contact.createMany({ data: { workspaceId, claimedEmail: from } });
  const { address } = await db().mailbox.findFirstOrThrow({ where: { workspaceId } });
  await inbound.send({ raw: rawMail({ From: from }), to: address, from });
  const [waiting] = await db().inboundUpdate.findMany({
    where: { workspaceId, channel: 'email', processedAt: null },
  });
  await expectFewRows(ROWS_MAX, async () => {
    await lookUpMailSender(waiting?.id ?? '');
    await receiveMail(waiting?.id ?? '');
  });
  expect(await db().contact.count({ where: { workspaceId, claimedEmail: from } })).toBe(2);
});

test('a conversation with a claim reads few rows', async ({ years: { workspaceId, screens } }) => {
  const { id } = await db().conversation.findFirstOrThrow({
    where: { workspaceId, subject: 'Claim', contactClaimed: true, removal: null },
  });
  const { conversations } = await screens();
  await expectFewRows(ROWS_MAX, async () => {
    const opened = await conversations.get({ id });
    expect(opened?.conversation.claim?.owner).toBeTruthy();
  });
});

test('Spam, Deleted and the preview of a deletion read few rows', async ({ years }) => {
  const { removed } = await years.screens();
  await expectFewRows(3 * ROWS_MAX, async () => {
    const spam = await removed.listSpam({});
    expect(spam.rows).toHaveLength(50);
    await removed.listSpam({ cursor: spam.nextCursor ?? '' });
    const [deleted] = (await removed.listDeleted({})).rows;
    await removed.previewDeletion({ id: deleted?.id ?? '' });
    await removed.blockChoices({ id: deleted?.id ?? '' });
  });
});

test('“Why?” and the details find the entries that block a contact by few rows', async ({
  years: { workspaceId, screens },
}) => {
  const email = 'spam7@mail.ads.test';
  const { id: contactId } = await makeContact(workspaceId, { email });
  const entry = { workspaceId, createdByName: 'Ada' };
  await db().blockedSender.create({ data: { ...entry, kind: 'domain', value: 'ads.test' } });
  const message = await db().message.findFirstOrThrow({ where: { workspaceId, direction: 'inbound' } });
  const { conversationId: id } = message;
  await db().conversation.update({ where: { id }, data: { contactId } });
  const { conversations } = await screens();
  await expectFewRows(ROWS_MAX, async () => {
    expect(await conversations.explain({ messageId: message.id })).toContainEqual(
      expect.objectContaining({ sentence: expect.stringMatching(/^Messages from ads\.test /) }),
    );
  });
  await expectFewRows(ROWS_MAX, async () => {
    expect((await conversations.contactHistory({ id })).blocks).toHaveLength(1);
  });
  await expectFewRows(ROWS_MAX, async () => {
    expect((await refuseBlocked(db(), [workspaceId], { emails: [email] })).size).toBe(1);
  });
});

/** Expects that a call scans no large table and reads few rows. */
async function expectFewRows(most: number, call: () => Promise<unknown>): Promise<void> {
  const { scanned, rows, statements } = await readingOf(call);
  expect(statements).toBeGreaterThan(0);
  expect(scanned.filter((table) => LARGE.has(table))).toEqual([]);
  expect(rows).toBeLessThanOrEqual(most);
}

const LARGE = new Set(['contacts', 'conversations', 'blocked_senders', 'messages', 'timeline_entries']);
