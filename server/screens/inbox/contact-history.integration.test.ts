import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { linkFiles } from '#server/inbox/files/link-files.ts';
import { getContactHistory } from '#server/screens/inbox/contact-history.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';
import { makeTeammates, type Teammates } from '#test/fixtures/teammates.ts';

const test = serviceTest.extend('contact', async ({ teammates }) => openContact(teammates));

test('lists the other conversations of the contact, newest first, five at most', async ({ contact }) => {
  const shown = await contact.start({ subject: 'Shown', lastMessageAt: at(9) });
  for (let n = 1; n <= 6; n += 1) await contact.start({ subject: `Other ${n}`, lastMessageAt: at(n) });
  const { conversations, hasMore } = await contact.historyOf(shown);
  expect(conversations.map(({ subject }) => subject)).toEqual([
    'Other 6',
    'Other 5',
    'Other 4',
    'Other 3',
    'Other 2',
  ]);
  expect(conversations[0]).toMatchObject({ status: 'open', channel: 'email', lastMessageAt: at(6) });
  expect(hasMore).toBe(true);
});

test('omits merged conversations, spam, deleted ones, tests and those of other contacts', async ({
  teammates: { workspaceId, owner: teammate },
  contact,
}) => {
  const shown = await contact.start();
  await contact.start({ mergedIntoId: shown });
  await contact.start({ removal: 'spam', removedAt: at(1) });
  await contact.start({ removal: 'deleted', removedAt: at(1) });
  await contact.start({ isTest: true });
  await makeConversation({ workspaceId, teammate });
  expect(await contact.historyOf(shown)).toEqual({
    lastContactedAt: null,
    conversations: [],
    hasMore: false,
    files: [],
    blocks: [],
  });
});

test('says that the contact is blocked by one of their addresses, a domain above it or their chat, and since when', async ({
  teammates: { workspaceId },
  contact,
}) => {
  const shown = await contact.start({ channel: 'telegram' });
  await db().contact.update({ where: { id: contact.id }, data: { email: 'nora@mail.winter.test' } });
  const identity = { workspaceId, contactId: contact.id, scope: '' };
  await db().contactIdentity.createMany({
    data: [
      { ...identity, channel: 'email', externalId: 'nora@home.test' },
      { ...identity, channel: 'telegram', externalId: '7' },
    ],
  });
  const entry = { workspaceId, createdByName: 'Olivia' };
  await db().blockedSender.createMany({
    data: [
      { ...entry, kind: 'address', value: 'nora@home.test', createdAt: at(1), lastRefusedAt: at(5) },
      { ...entry, kind: 'domain', value: 'winter.test', createdAt: at(2) },
      { ...entry, kind: 'chat', value: 'telegram::7', label: 'Nora (Telegram)', createdAt: at(3) },
      { ...entry, kind: 'address', value: 'other@home.test', createdAt: at(4) },
    ],
  });
  const path = (search: string) => `/settings/blocked-senders?search=${search}`;
  expect((await contact.historyOf(shown)).blocks).toMatchObject([
    {
      sender: 'nora@home.test',
      createdByName: 'Olivia',
      createdAt: at(1),
      lastRefusedAt: at(5),
      path: path('nora%40home.test'),
    },
    { sender: 'winter.test and its subdomains', lastRefusedAt: null, path: path('winter.test') },
    { sender: 'Nora (Telegram)', path: path('Nora%20(Telegram)') },
  ]);
  const seen = await contact.historyOf(shown, 'agent');
  expect(seen.blocks.map((block) => block.path)).toEqual([null, null, null]);
  // With the id of an entry, an agent could undo the block of an admin.
  for (const { id } of await db().blockedSender.findMany({ where: { workspaceId } }))
    expect(JSON.stringify(seen.blocks)).not.toContain(id);
  // Their chat is another channel than the conversation's.
  const byEmail = await contact.historyOf(await contact.start());
  expect(byEmail.blocks.map(({ sender }) => sender)).toEqual([
    'nora@home.test',
    'winter.test and its subdomains',
  ]);
});

test('knows when somebody last wrote to the contact, in any conversation', async ({ contact }) => {
  const [shown, other] = [await contact.start(), await contact.start()];
  await contact.write(shown, { direction: 'outbound', createdAt: at(1) });
  await contact.write(other, { direction: 'outbound', sendStatus: 'sent', createdAt: at(2) });
  await contact.write(shown, { direction: 'outbound', sendStatus: 'failed', createdAt: at(3) });
  await contact.write(shown, { direction: 'outbound', authorKind: 'automatic', createdAt: at(4) });
  await contact.write(shown, { direction: 'inbound', authorKind: 'contact', createdAt: at(5) });
  expect((await contact.historyOf(shown)).lastContactedAt).toEqual(at(2));
});

test('lists the newest five files of all conversations, without pictures in texts', async ({ contact }) => {
  const [shown, other] = [await contact.start(), await contact.start()];
  for (let n = 1; n <= 6; n += 1) {
    await contact.write(n % 2 ? shown : other, { createdAt: at(n), file: `${n}.txt` });
  }
  const picture = await contact.write(shown, { createdAt: at(7), file: 'logo.txt' });
  await db().attachment.updateMany({ where: { messageId: picture }, data: { inline: true } });
  const { files } = await contact.historyOf(shown);
  expect(files.map(({ name }) => name)).toEqual(['6.txt', '5.txt', '4.txt', '3.txt', '2.txt']);
  expect(files[0]).toMatchObject({ contentType: 'text/plain', sizeBytes: 5, sentAt: at(6) });
});

test('is empty for an unknown or foreign conversation, and for a deleted one unless an admin asks', async ({
  teammates,
  contact,
}) => {
  const EMPTY = { conversations: [], files: [], blocks: [] };
  expect(await contact.historyOf('not an id')).toMatchObject(EMPTY);
  expect(await contact.historyOf(randomUUID())).toMatchObject(EMPTY);
  const data = { workspaceId: teammates.workspaceId, kind: 'domain' as const, value: 'example.com' };
  await db().blockedSender.create({ data: { ...data, createdByName: 'Olivia' } });
  await contact.start();
  const deleted = await contact.start({ removal: 'deleted', removedAt: at(1) });
  expect(await contact.historyOf(deleted, 'agent')).toMatchObject(EMPTY);
  const ofAdmin = await contact.historyOf(deleted, 'admin');
  expect([ofAdmin.conversations, ofAdmin.blocks].map(({ length }) => length)).toEqual([1, 1]);
  const { workspaceId } = await makeTeammates();
  const foreign = await getContactHistory(db(), { workspaceId, id: await contact.start(), role: 'owner' });
  expect(foreign).toMatchObject(EMPTY);
  expect(teammates.workspaceId).not.toBe(workspaceId);
});

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 2, 3, minutes));

type Written = {
  direction?: 'inbound' | 'outbound';
  authorKind?: 'contact' | 'teammate' | 'automatic';
  sendStatus?: 'sent' | 'failed';
  createdAt: Date;
  /** Name of its file, if it has one. */
  file?: string;
};

/** Returns functions for the conversations of a new contact. */
async function openContact({ workspaceId, owner: teammate }: Teammates) {
  const { id: contactId } = await makeContact(workspaceId);
  return {
    id: contactId,
    start: (columns: Parameters<typeof makeConversation>[1] = {}) =>
      makeConversation({ workspaceId, teammate }, { contactId, ...columns }),
    historyOf: (id: string, role: 'owner' | 'admin' | 'agent' = 'owner') =>
      getContactHistory(db(), { workspaceId, id, role }),
    write: async (conversationId: string, { direction = 'inbound', file, ...columns }: Written) => {
      const { authorKind = direction === 'inbound' ? 'contact' : 'teammate', ...same } = columns;
      const authorId = authorKind === 'teammate' ? teammate.id : null;
      const { id: messageId } = await db().message.create({
        data: {
          workspaceId,
          conversationId,
          direction,
          authorKind,
          authorId,
          content: 'Hello',
          attachmentsCount: file === undefined ? 0 : 1,
          ...same,
        },
      });
      if (file === undefined) return messageId;
      const files = [await storeBytes(workspaceId, { name: file })];
      await inTransaction((tx) => linkFiles(tx, { workspaceId, messageId, files, now: columns.createdAt }));
      return messageId;
    },
  };
}
