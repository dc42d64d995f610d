import { describe, expect } from 'vitest';
import { removeMember } from '#server/administration/members/remove-member.ts';
import { db } from '#server/core/database/prisma.ts';
import { updateSearch } from '#server/inbox/conversations/update-search.ts';
import { readFileUsage } from '#server/inbox/files/file-quota.ts';
import { removeExpiredFiles } from '#server/inbox/files/remove-expired-files.ts';
import { signUploaded } from '#server/inbox/files/uploaded-file.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { test } from '#test/fixtures/screens-test.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';
import { makeTeammates } from '#test/fixtures/teammates.ts';

const REPLY = {
  name: 'Refund policy',
  folder: 'Billing',
  content: 'Hi {{contact.first_name|there}}',
  isPrivate: false,
  files: [],
};
const NOW = new Date();
const FORBIDDEN = { message: expect.stringContaining('Only owners, admins and its creator') };
const NOT_FOUND = { message: 'The saved reply was not found.' };

describe('a shared saved reply', () => {
  test('is seen by everyone who writes, and changed by its creator, owners and admins', async ({
    screensOf,
  }) => {
    const [{ savedReplies: mine }, { savedReplies: admins }] = [
      await screensOf('agent'),
      await screensOf('admin'),
    ];
    const { id } = await mine.add({ ...REPLY, name: ' Refund\npolicy ', content: ' Hi\r\nyou ' });
    expect((await admins.get({})).replies).toMatchObject([
      {
        id,
        name: 'Refund policy',
        content: 'Hi\nyou',
        isPrivate: false,
        isYours: false,
        mayEdit: true,
        usedCount: 0,
      },
    ]);
    await admins.update({ id, updatedAt: await updatedAt(id), ...REPLY, folder: 'New' });
    expect(await mine.get({})).toMatchObject({
      total: 1,
      folders: ['New'],
      replies: [{ isYours: true, mayEdit: true }],
    });
    const { id: other } = await admins.add(REPLY);
    expect((await mine.get({})).replies.find((saved) => saved.id === other)).toMatchObject({
      mayEdit: false,
    });
    await expect(mine.update({ id: other, updatedAt: NOW, ...REPLY })).rejects.toMatchObject(FORBIDDEN);
    await expect(mine.delete({ id: other })).rejects.toMatchObject(FORBIDDEN);
    await mine.delete({ id });
    await mine.delete({ id });
    await expect(admins.update({ id, updatedAt: NOW, ...REPLY })).rejects.toMatchObject(NOT_FOUND);
  });

  test('is not changed over what another teammate saved since the form was opened', async ({ screensOf }) => {
    const [{ savedReplies: mine }, { savedReplies: admins }] = [
      await screensOf('agent'),
      await screensOf('admin'),
    ];
    const { id } = await mine.add(REPLY);
    const [shown] = (await mine.get({})).replies;
    const typed = { ...REPLY, id, updatedAt: shown?.updatedAt ?? NOW };
    await admins.update({ ...typed, content: 'Corrected' });
    await expect(mine.update({ ...typed, name: 'Renamed' })).rejects.toThrow('changed in the meantime');
    expect((await mine.get({})).replies).toMatchObject([{ name: REPLY.name, content: 'Corrected' }]);
  });

  test('cannot be made private by someone else', async ({ screensOf }) => {
    const { id } = await (await screensOf('agent')).savedReplies.add(REPLY);
    await expect(
      (await screensOf('owner')).savedReplies.update({
        id,
        updatedAt: await updatedAt(id),
        ...REPLY,
        isPrivate: true,
      }),
    ).rejects.toThrow('Only the teammate who created a saved reply can make it private.');
  });
});

describe('a private saved reply', () => {
  test('does not exist for other teammates, owners included, until it is shared', async ({
    screensOf,
    conversation,
  }) => {
    const [{ savedReplies: mine }, { savedReplies: owners }] = [
      await screensOf('agent'),
      await screensOf('owner'),
    ];
    const file = await uploaded(await workspaceOf(conversation));
    const { id } = await mine.add({ ...REPLY, isPrivate: true, files: [file] });
    const offered = { conversationId: conversation, query: '' };
    expect([await mine.offer(offered), (await mine.get({})).total]).toEqual([
      [expect.objectContaining({ id })],
      1,
    ]);
    expect([await owners.offer(offered), (await owners.get({})).replies]).toEqual([[], []]);
    expect(await owners.keepFiles({ id })).toEqual([]);
    await expect(owners.update({ id, updatedAt: NOW, ...REPLY })).rejects.toMatchObject(NOT_FOUND);
    await owners.delete({ id });
    await mine.update({ id, updatedAt: await updatedAt(id), ...REPLY, files: [file] });
    expect(await owners.offer(offered)).toMatchObject([{ id }]);
  });

  test('is deleted with its files when its teammate leaves; shared ones stay', async ({
    screensOf,
    teammates,
  }) => {
    const { workspaceId, agent, owner } = teammates;
    const { savedReplies } = await screensOf('agent');
    const file = await uploaded(workspaceId);
    await savedReplies.add({ ...REPLY, isPrivate: true, files: [file] });
    await savedReplies.add({ ...REPLY, name: 'Shared' });
    await removeMember({ workspaceId, userId: agent.id, by: owner });
    expect((await (await screensOf('owner')).savedReplies.get({})).replies.map(({ name }) => name)).toEqual([
      'Shared',
    ]);
    await removeExpiredFiles();
    expect(await db().storedFile.count({ where: { id: file.id } })).toBe(0);
  });
});

describe('saved replies are refused', () => {
  test('to viewers', async ({ screensOf, conversation }) => {
    const { savedReplies } = await screensOf('viewer');
    await expect(savedReplies.get({})).rejects.toThrow('Viewers of this workspace');
    await expect(savedReplies.add(REPLY)).rejects.toThrow('Viewers of this workspace');
    await expect(savedReplies.offer({ conversationId: conversation, query: '' })).rejects.toThrow('Viewers');
  });

  test.for([
    [{ name: ' ' }, { name: ['The name must not be empty.'] }],
    [{ name: 'x'.repeat(81) }, { name: ['The name must be at most 80 characters.'] }],
    [{ folder: 'x'.repeat(81) }, { folder: ['The folder must be at most 80 characters.'] }],
    [{ content: '\n' }, { content: ['The reply must not be empty.'] }],
    [{ content: '🙂'.repeat(4_001) }, { content: ['The reply must be at most 4,000 characters.'] }],
    [
      { content: 'Hi {{contact.nmae}}' },
      { content: [expect.stringContaining('“{{contact.nmae}}” is not a variable')] },
    ],
  ] as const)('with %j', async ([fields, errors], { screensOf }) => {
    const { savedReplies } = await screensOf('agent');
    await expect(savedReplies.add({ ...REPLY, ...fields })).rejects.toMatchObject({ cause: { errors } });
  });

  test('above 500 shared and 100 private ones, also by simultaneous requests', async ({
    screensOf,
    teammates,
  }) => {
    const { workspaceId, agent } = teammates;
    const rows = (count: number, ownerId: string | null) =>
      Array.from({ length: count }, () => ({
        workspaceId,
        ownerId,
        createdByName: 'A',
        name: 'N',
        content: 'C',
      }));
    await db().savedReply.createMany({ data: [...rows(498, null), ...rows(98, agent.id)] });
    const { savedReplies } = await screensOf('agent');
    for (const isPrivate of [true, false]) {
      const adding = Array.from({ length: 5 }, () => savedReplies.add({ ...REPLY, isPrivate }));
      const outcomes = await Promise.allSettled(adding);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    }
    await expect(savedReplies.add(REPLY)).rejects.toThrow(
      'A workspace can have up to 500 shared saved replies.',
    );
    expect(await savedReplies.get({})).toMatchObject({ total: 600, hasMore: true });
  });

  test('of another workspace, and with its conversations and files', async ({ screensOf, conversation }) => {
    const strangers = await makeTeammates();
    const theirs = (await screensOf('owner', strangers)).savedReplies;
    const file = await uploaded(strangers.workspaceId);
    const { id } = await theirs.add({ ...REPLY, files: [file] });
    const { savedReplies } = await screensOf('owner');
    await expect(savedReplies.update({ id, updatedAt: NOW, ...REPLY })).rejects.toMatchObject(NOT_FOUND);
    await savedReplies.delete({ id });
    expect([(await savedReplies.get({})).total, await savedReplies.keepFiles({ id })]).toEqual([0, []]);
    expect(await theirs.offer({ conversationId: conversation, query: '' })).toEqual([]);
    await expect(savedReplies.add({ ...REPLY, files: [file] })).rejects.toThrow(
      'A file is no longer available.',
    );
    expect((await theirs.get({})).total).toBe(1);
  });
});

describe('the composer offers saved replies', () => {
  test('filled in for the contact and the teammate, with what is missing', async ({
    screensOf,
    teammates,
  }) => {
    const { workspaceId, agent } = teammates;
    const { id: contactId } = await makeContact(workspaceId, {
      firstName: 'Ada',
      lastName: null,
      email: null,
    });
    const conversationId = await makeConversation({ workspaceId, teammate: agent }, { contactId });
    const { savedReplies } = await screensOf('agent');
    const content =
      'Hi {{contact.first_name}}, {{contact.email}}{{contact.last_name|friend}} of {{contact.company}}. {{teammate.name}}';
    await savedReplies.add({ ...REPLY, content });
    expect(await savedReplies.offer({ conversationId, query: 'ref' })).toMatchObject([
      {
        name: 'Refund policy',
        folder: 'Billing',
        content: 'Hi Ada, friend of Engines. Aggie Agent',
        missing: ['Email address of the contact'],
      },
    ]);
  });

  test('best matches first, by name, words, folder, text and letters, at most eight', async ({
    screensOf,
    conversation,
  }) => {
    const { savedReplies } = await screensOf('agent');
    for (const [name, content] of [
      ['Shipping 100%', 'We ship on Mondays'],
      ['Late refund', 'It takes a week'],
      ['Refund', 'Done'],
      ['Greeting', 'Ask for a refund'],
    ] as const) {
      await savedReplies.add({ ...REPLY, folder: name === 'Greeting' ? 'Small talk' : '', name, content });
    }
    const names = async (query: string) =>
      (await savedReplies.offer({ conversationId: conversation, query })).map(({ name }) => name);
    expect(await names('refund')).toEqual(['Refund', 'Late refund', 'Greeting']);
    expect(await names('REFUND-late')).toEqual(['Late refund']);
    expect(await names('talk')).toEqual(['Greeting']);
    expect(await names('monday')).toEqual(['Shipping 100%']);
    expect(await names('rfnd')).toEqual(['Late refund', 'Refund']);
    expect(await names('%')).toEqual(['Shipping 100%']);
    for (const none of ['\\', "'", 'zzz']) expect(await names(none)).toEqual([]);
    for (let count = 0; count < 6; count += 1) await savedReplies.add({ ...REPLY, name: `Other ${count}` });
    expect(await names('')).toHaveLength(8);
  });
});

describe('the search', () => {
  test('finds other forms of the words of a question, also in another language once its job has run', async ({
    screensOf,
    conversation,
  }) => {
    const { savedReplies } = await screensOf('agent');
    const workspaceId = await workspaceOf(conversation);
    for (const [name, content] of [
      ['Money back', 'We refunded your order. It arrives within a week.'],
      ['Addresses', 'Your shipping address was changed.'],
      ['Konto', 'Ihre Zahlung ist da.'],
    ] as const) {
      await savedReplies.add({ ...REPLY, folder: '', name, content });
    }
    const names = async (query: string, { offer, get } = savedReplies) => {
      const offered = await offer({ conversationId: conversation, query });
      const { replies } = await get({ search: query });
      expect(replies.map(({ name }) => name).sort()).toEqual(offered.map(({ name }) => name).sort());
      return offered.map(({ name }) => name);
    };
    for (const query of ['refunding', 'refunds-orders', 'how do we refund an order', 'refunded']) {
      expect({ query, names: await names(query) }).toMatchObject({ names: ['Money back'] });
    }
    for (const query of ['change_address', 'can I change my addresses?', 'shipp']) {
      expect({ query, names: await names(query) }).toMatchObject({ names: ['Addresses'] });
    }
    // Each letter that is typed leaves the reply in the list.
    for (const query of ['re', 'ref', 'refu', 'refun', 'refund', 'refunde']) {
      expect({ query, names: await names(query) }).toMatchObject({
        names: expect.arrayContaining(['Money back']),
      });
    }
    expect(await names('refunds-addresses')).toEqual([]);
    expect(await names('zahlungen')).toEqual([]);
    await db().workspace.update({ where: { id: workspaceId }, data: { searchLanguage: 'german' } });
    await updateSearch({ workspaceId });
    const { savedReplies: german } = await screensOf('owner');
    expect(await names('zahlungen', german)).toEqual(['Konto']);
    expect(await names('refunding', german)).toEqual([]);
  });
});

describe('a reply that used saved replies', () => {
  test('counts each once when it is sent, and none when it is undone', async ({
    screensOf,
    conversation,
  }) => {
    const { savedReplies, composer } = await screensOf('agent');
    const [{ id: used }, { id: other }] = [await savedReplies.add(REPLY), await savedReplies.add(REPLY)];
    const { id: hidden } = await (await screensOf('owner')).savedReplies.add({ ...REPLY, isPrivate: true });
    const reply = { conversationId: conversation, content: 'Hi', savedReplyIds: [used, used, hidden] };
    const [undone, sent] = [crypto.randomUUID(), crypto.randomUUID()];
    await composer.reply({ ...reply, id: undone });
    expect(await composer.cancelReply({ id: undone })).toMatchObject({ savedReplyIds: [used, used, hidden] });
    await composer.reply({ ...reply, id: sent });
    await sendPendingReply(sent);
    await sendPendingReply(sent);
    const counts = await db().savedReply.findMany({
      where: { id: { in: [used, other, hidden] } },
      orderBy: { createdAt: 'asc' },
    });
    expect(counts.map(({ usedCount, lastUsedAt }) => [usedCount, lastUsedAt !== null])).toEqual([
      [1, true],
      [0, false],
      [0, false],
    ]);
  });

  test('shares its files, which stay as long as one owner has them', async ({ screensOf, conversation }) => {
    const workspaceId = await workspaceOf(conversation);
    const { savedReplies, composer } = await screensOf('agent');
    const [first, second] = [await uploaded(workspaceId, 'a.txt'), await uploaded(workspaceId, 'b.txt')];
    const { id } = await savedReplies.add({ ...REPLY, files: [first, second] });
    await expect(savedReplies.add({ ...REPLY, files: [first] })).rejects.toThrow(
      'A file is no longer available.',
    );
    const send = async () => {
      const files = await savedReplies.keepFiles({ id });
      expect(files.map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
      const replyId = crypto.randomUUID();
      await composer.reply({ conversationId: conversation, id: replyId, content: '', files });
      await sendPendingReply(replyId);
      return replyId;
    };
    const [one, other] = [await send(), await send()];
    await removeExpiredFiles();
    expect(await ownersOf(workspaceId)).toEqual([3, 3]);
    expect((await loadFiles(one)).map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
    await savedReplies.update({ id, updatedAt: await updatedAt(id), ...REPLY, files: [second] });
    expect((await savedReplies.get({})).replies[0]?.files).toEqual([second]);
    // Both messages and the saved reply end at the same time.
    await db().$executeRaw`update stored_files set kept_until = now()`;
    await Promise.all([
      db().message.delete({ where: { id: one } }),
      db().message.delete({ where: { id: other } }),
      savedReplies.delete({ id }),
    ]);
    await removeExpiredFiles();
    expect(await ownersOf(workspaceId)).toEqual([]);
  });

  test('writes and counts nothing when its files are inserted, however often', async ({
    screensOf,
    conversation,
  }) => {
    const workspaceId = await workspaceOf(conversation);
    const { savedReplies } = await screensOf('agent');
    const { id } = await savedReplies.add({ ...REPLY, files: [await uploaded(workspaceId)] });
    const usedBefore = await readFileUsage(db(), workspaceId);
    await Promise.all(Array.from({ length: 12 }, () => savedReplies.keepFiles({ id })));
    expect(await ownersOf(workspaceId)).toEqual([1]);
    expect(await readFileUsage(db(), workspaceId)).toEqual(usedBefore);
  });

  test('can send its files for days, also after it was deleted', async ({ screensOf, conversation }) => {
    const workspaceId = await workspaceOf(conversation);
    const { savedReplies, composer } = await screensOf('agent');
    const { id } = await savedReplies.add({ ...REPLY, files: [await uploaded(workspaceId)] });
    const files = await savedReplies.keepFiles({ id });
    const reply = { conversationId: conversation, content: '', files };
    const age = () => db().$executeRaw`
      update stored_files set kept_until = kept_until - interval '3 days', expires_at = expires_at - interval '3 days'`;
    await age();
    await composer.reply({ ...reply, id: crypto.randomUUID() });
    await savedReplies.delete({ id });
    await age();
    await removeExpiredFiles();
    const replyId = crypto.randomUUID();
    await composer.reply({ ...reply, id: replyId });
    await sendPendingReply(replyId);
    expect((await loadFiles(replyId)).map(({ name }) => name)).toEqual(['a.txt']);
  });
});

async function updatedAt(id: string): Promise<Date> {
  return (await db().savedReply.findUniqueOrThrow({ where: { id } })).updatedAt;
}

function loadFiles(messageId: string) {
  return db().attachment.findMany({ where: { messageId }, orderBy: { id: 'asc' } });
}

async function ownersOf(workspaceId: string): Promise<number[]> {
  const files = await db().storedFile.findMany({ where: { workspaceId } });
  return files.map(({ owners }) => owners);
}

async function uploaded(workspaceId: string, name = 'a.txt') {
  return signUploaded(workspaceId, await storeBytes(workspaceId, { name }));
}

async function workspaceOf(conversationId: string): Promise<string> {
  return (await db().conversation.findUniqueOrThrow({ where: { id: conversationId } })).workspaceId;
}
