import { v7 as uuidv7 } from 'uuid';
import { describe, expect } from 'vitest';
import { updateSettings } from '#server/administration/workspaces/update-settings.ts';
import { db } from '#server/core/database/prisma.ts';
import { SEARCH_LANGUAGES, type SearchLanguage } from '#server/core/search-languages.ts';
import { updateSearch } from '#server/inbox/conversations/update-search.ts';
import { splitMatches } from '#server/screens/inbox/split-matches.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';

/** Calls of the inbox by the owner, and a conversation of their workspace. */
const test = serviceTest.extend('inbox', async ({ connection }) => {
  const screens = await signInTeammate(connection.teammate);
  return {
    list: async (search: string) => (await (await screens()).inbox.list({ search })).rows,
    counts: async (search: string) => (await (await screens()).inbox.counts({ search })).open,
  };
});

describe('a row found by a search', () => {
  test('has a snippet of the newest matching message', async ({ inbox, connection, conversation }) => {
    const { workspaceId } = connection;
    const to = { workspaceId, conversationId: conversation };
    await addMessage({ ...to, content: 'An older hopper', minute: 1 });
    await addMessage({ ...to, content: `${'Long ago. '.repeat(50)}The cracked hopper`, minute: 2 });
    await addMessage({ ...to, content: 'Thank you', minute: 3 });
    await addNote({ ...to, content: 'Hopper is known', minute: 4 });
    const [row, ...others] = await inbox.list('hopper');
    expect(others).toEqual([]);
    expect(row?.match?.in).toBe('message');
    expect(row?.match?.snippet).toMatch(/^… .*The cracked hopper$/);
    expect(row?.preview).toBe('Thank you');
  });

  test('has a snippet of a note, and is counted', async ({ inbox, connection, conversation }) => {
    const { workspaceId } = connection;
    await addNote({ workspaceId, conversationId: conversation, content: 'Refund approved by finance' });
    expect((await inbox.list('finance refund ')).map(({ match }) => match)).toEqual([
      { in: 'note', snippet: 'Refund approved by finance' },
    ]);
    expect(await inbox.counts('finance')).toEqual({ count: 1, more: false });
  });

  test('by an order number that PostgreSQL splits has a snippet', async ({
    inbox,
    connection,
    conversation,
  }) => {
    const { workspaceId } = connection;
    await addMessage({ workspaceId, conversationId: conversation, content: 'Order 1e07b is late' });
    for (const search of ['1e07b', 'order 1e07b late'])
      expect((await inbox.list(search)).map(({ match }) => match?.snippet)).toEqual(['Order 1e07b is late']);
  });

  test.for([
    ['whose accents are letters of their own, as Windows writes Vietnamese', 'NFD', 'NFC'],
    ['by a search with such accents', 'NFC', 'NFD'],
  ] as const)(
    '%s, is found and highlighted',
    async ([_name, written, sought], { inbox, connection, conversation }) => {
      const { workspaceId } = connection;
      const content = 'Hoá đơn của Nguyễn'.normalize(written);
      await addMessage({ workspaceId, conversationId: conversation, content });
      const search = 'nguyễn hoá'.normalize(sought);
      const [row] = await inbox.list(search);
      expect(row?.match?.snippet).toBe(content);
      const marked = splitMatches(content, search, row?.stemmed).filter(({ isMatch }) => isMatch);
      expect(marked.map(({ text }) => text.normalize())).toEqual(['Hoá', 'Nguyễn']);
    },
  );

  test('has no snippet when the subject matches', async ({ inbox, connection }) => {
    const { workspaceId } = connection;
    const conversationId = await makeConversation(connection, { subject: 'Broken grinder' });
    await addMessage({ workspaceId, conversationId, content: 'My grinder is broken' });
    expect((await inbox.list('grinder')).map(({ match, subject }) => ({ match, subject }))).toEqual([
      { match: null, subject: 'Broken grinder' },
    ]);
  });
});

describe('a search in the language of the workspace', () => {
  test.for<[language: SearchLanguage, search: string, content: string, marked: string]>([
    ['english', 'refunds', 'We refunded you', 'We [refunded] you'],
    ['english', 'Deliveries', 'The DELIVERY was late', 'The [DELIVERY] was late'],
    ['english', 'refun', 'We refunded you', 'We [refunded] you'],
    [
      'english',
      'how do I cancel my subscription?',
      'Subscriptions can be cancelled at any time',
      '[Subscriptions] can be [cancelled] at any time',
    ],
    ['german', 'Rechnungen', 'Die Rechnung ist da', 'Die [Rechnung] ist da'],
    ['german', 'häuser ', 'Das Haus ist da', 'Das [Haus] ist da'],
    ['french', 'remboursements', 'Votre remboursement arrive', 'Votre [remboursement] arrive'],
    ['russian', 'заказы', 'Где мой заказ?', 'Где мой [заказ]?'],
    ['russian', 'invoices', 'Мой invoice 1042', 'Мой [invoice] 1042'],
    // Texts in other languages, and languages without stems, are found as before.
    ['english', 'rechnung ', 'Die Rechnung ist da', 'Die [Rechnung] ist da'],
    ['english', '返品 order', '返品 orders', '[返品] [orders]'],
    ['simple', 'คืนเงิน', 'ขอ คืนเงิน', 'ขอ [คืนเงิน]'],
    ['english', '1042 refunds', 'Refund order 1042', '[Refund] order [1042]'],
  ])('%s: %j finds %j', async ([language, search, content, marked], { inbox, connection, conversation }) => {
    const { workspaceId } = connection;
    await updateSettings({ workspaceId, changes: { searchLanguage: language }, by: connection.teammate });
    await addMessage({ workspaceId, conversationId: conversation, content });
    const [row] = await inbox.list(search);
    const parts = splitMatches(row?.match?.snippet ?? '', search, row?.stemmed);
    expect(parts.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join('')).toBe(marked);
    expect(await inbox.counts(search)).toEqual({ count: 1, more: false });
  });

  test.for<[language: SearchLanguage, search: string, content: string]>([
    ['english', 'Rechnungen', 'Die Rechnung ist da'],
    ['simple', 'refunds', 'We refunded you'],
    ['german', 'refunds', 'We refunded you'],
    // Too little would be left without "will".
    ['english', 'Will Smith ', 'Ask Smith'],
    ['english', 'where is my order ', 'An order'],
    ['english', 'refunds of orders', 'Your refund'],
  ])('%s: %j does not find %j', async ([language, search, content], { inbox, connection, conversation }) => {
    const { workspaceId } = connection;
    await updateSettings({ workspaceId, changes: { searchLanguage: language }, by: connection.teammate });
    await addMessage({ workspaceId, conversationId: conversation, content });
    expect(await inbox.list(search)).toEqual([]);
  });

  test('has a snippet around the other form of the word, and finds notes and subjects', async ({
    inbox,
    connection,
    conversation,
  }) => {
    const { workspaceId } = connection;
    const to = { workspaceId, conversationId: conversation };
    await addNote({ ...to, content: `${'How are you and others? '.repeat(50)}They were refunded` });
    const other = await makeConversation(connection, { subject: 'Refunding', lastMessageAt: at(-1_000) });
    const [row, second] = await inbox.list('refund');
    expect(row?.match).toEqual({ in: 'note', snippet: expect.stringMatching(/^… .*were refunded$/) });
    expect(second).toMatchObject({ id: other, match: null, stemmed: ['refunding'] });
  });

  test('finds older messages once the job of a new language has run', async ({
    inbox,
    connection,
    conversation,
  }) => {
    const { workspaceId, teammate: by } = connection;
    const to = { workspaceId, conversationId: conversation };
    await addMessage({ ...to, content: 'Die Rechnungen sind da' });
    await addNote({ ...to, content: 'Zwei Mahnungen' });
    await updateSettings({ workspaceId, changes: { searchLanguage: 'german' }, by });
    const found = async () => [await inbox.list('rechnung '), await inbox.list('mahnung ')].flat().length;
    expect(await found()).toBe(0);
    expect(await queuedJobs()).toContainEqual({ task: 'update-search', payload: { workspaceId } });
    await updateSearch({ workspaceId });
    expect(await found()).toBe(2);
    await updateSettings({ workspaceId, changes: { searchLanguage: 'simple' }, by });
    await updateSearch({ workspaceId });
    expect(await found()).toBe(0);
    await expect(
      updateSettings({ workspaceId, changes: { searchLanguage: 'klingon' }, by }),
    ).rejects.toMatchObject({ errors: { searchLanguage: ['Choose a language from the list.'] } });
  });

  test('can be any of the list, which PostgreSQL knows and the check allows', async ({ connection }) => {
    for (const searchLanguage of Object.keys(SEARCH_LANGUAGES)) {
      await db().workspace.update({ where: { id: connection.workspaceId }, data: { searchLanguage } });
      const [row] = await db().$queryRaw<{ words: string }[]>`
        select searchable_text(${connection.workspaceId}::uuid, ${searchLanguage}, 'Quokka 1042')::text as words`;
      expect(row?.words).toContain("'quokka'");
    }
  });
});

test('an attacker in another workspace finds no notes', async ({
  inbox,
  connection,
  conversation,
  teammates,
}) => {
  const { workspaceId } = connection;
  await addNote({ workspaceId, conversationId: conversation, content: 'Confidential zebra' });
  expect(await inbox.list('zebra')).toHaveLength(1);
  const attacker = await signInTeammate(teammates.owner);
  expect((await (await attacker()).inbox.list({ search: 'zebra' })).rows).toEqual([]);
});

test('a rare note is found by its index behind many newer conversations', async ({ inbox, connection }) => {
  const { workspaceId } = connection;
  const conversationId = await makeConversation(connection, { lastMessageAt: at(-1_000) });
  await addNote({ workspaceId, conversationId, content: 'Quokka' });
  await db().conversation.createMany({
    data: Array.from({ length: 1_100 }, (_, minute) => ({
      workspaceId,
      channel: 'email' as const,
      lastMessageAt: at(minute),
    })),
  });
  expect((await inbox.list('quokka')).map(({ id }) => id)).toEqual([conversationId]);
  expect(await inbox.counts('quokka')).toEqual({ count: 1, more: false });
});

type Text = { workspaceId: string; conversationId: string; content: string; minute?: number };

const at = (minute = 0) => new Date(Date.parse('2026-11-21T12:00:00.000Z') + minute * 60_000);

async function addMessage({ minute, ...columns }: Text) {
  const author = { direction: 'inbound', authorKind: 'contact' } as const;
  await db().message.create({ data: { ...columns, ...author, createdAt: at(minute) } });
}

async function addNote({ minute, ...columns }: Text) {
  await db().note.create({
    data: { id: uuidv7(), ...columns, authorKind: 'automatic', createdAt: at(minute) },
  });
}
