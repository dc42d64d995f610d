import { describe, expect } from 'vitest';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { listConversationsByChange } from '#server/inbox/conversations/list-by-change.ts';
import { listMessages } from '#server/inbox/messages/list-messages.ts';
import { type ApiResponse, apiClient } from '#test/clients/api-client.ts';
import { readingOf } from '#test/database/read-plan.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { type findWorkspace, test as largeTest } from '#test/fixtures/large-workspace-test.ts';

// The cost of searches and samples must not grow with the workspace: no statement may scan a whole table or read many rows.

const test = largeTest
  .extend('workspace', { scope: 'file' }, ({ years }) => connectTo(years))
  .extend('get', { scope: 'file' }, async ({ service, workspace }) => {
    const api = apiClient(service.url, workspace.accessToken);
    // The first call also writes `last_used_at`.
    await api('GET', '/me');
    return (path: string): Promise<ApiResponse> => api('GET', path);
  });

describe.each([...searches(), ...samples()])('%s', (_name, path, found) => {
  test('is found by an index, in few rows and few round trips', async ({ workspace, get }) => {
    const responses: ApiResponse[] = [];
    const { scanned, rows, statements } = await readingOf(async () =>
      responses.push(await get(path(workspace))),
    );
    expect(responses[0]).toMatchObject({ status: 200 });
    expect(responses[0]?.body).toHaveLength(found);
    // The caller is found before, and the rate limit is counted.
    expect(statements).toBeLessThanOrEqual(4);
    expect(scanned.filter((table) => !SMALL.has(table))).toEqual([]);
    expect(rows).toBeLessThanOrEqual(ROWS_MAX);
  });
});

describe('the developer API’s list of conversations', () => {
  test('reads a page by an index wherever it is, in both orders and with each of its filters', async ({
    years: { workspaceId, owner },
  }) => {
    const where = { workspaceId, mergedIntoId: null, isTest: false, removal: null, contactId: { not: null } };
    const middle = await db().conversation.findFirstOrThrow({
      where,
      skip: 3_000,
      orderBy: { updatedAt: 'asc' },
    });
    const after = { micros: String(middle.updatedAt.getTime() * 1_000), id: middle.id };
    const teamId = middle.teamId ?? '';
    const filters = [
      {},
      { updatedSince: middle.updatedAt },
      { status: 'solved' as const },
      { assigneeId: owner.id },
      { assigneeId: owner.id, status: 'open' as const },
      { teamId },
      { channel: 'email' as const },
      { channel: 'telegram' as const, status: 'closed' as const },
      { contactId: middle.contactId ?? '' },
      { contactId: MANY_HAVE },
      { contactId: MANY_HAVE, status: 'pending' as const },
    ];
    const most = await db().conversation.groupBy({
      by: ['contactId'],
      where,
      _count: true,
      orderBy: { _count: { contactId: 'desc' } },
      take: 1,
    });
    for (const given of filters)
      for (const order of ['asc', 'desc'] as const)
        for (const from of [null, after]) {
          const filter =
            given.contactId === MANY_HAVE ? { ...given, contactId: most[0]?.contactId ?? '' } : given;
          const name = JSON.stringify({ ...filter, order, from });
          const { scanned, rows } = await readingOf(() =>
            listConversationsByChange(sql(), { workspaceId, ...filter, order, after: from, limit: 50 }),
          );
          expect(
            scanned.filter((table) => !SMALL.has(table)),
            name,
          ).toEqual([]);
          // Of the few teams, all are read for each conversation. The index of a team has its merged conversations, too.
          expect(rows, name).toBeLessThan(4_000);
        }
  });

  test('checks a bounded number of conversations for a tag and for several filters', async ({
    years: { workspaceId, owner },
    busy,
  }) => {
    const readOf = async (filter: object, of = workspaceId) => {
      const { scanned, rows } = await readingOf(() =>
        listConversationsByChange(sql(), { workspaceId: of, after: null, limit: 50, ...filter }),
      );
      expect(
        scanned.filter((table) => !SMALL.has(table)),
        JSON.stringify(filter),
      ).toEqual([]);
      return rows;
    };
    expect(await readOf({ tag: 'nothing has it' })).toBeLessThan(10);
    expect(await readOf({ tag: 'tag1' })).toBeLessThan(TAGGED + 5_001 + 2_500);
    expect(await readOf({ assigneeId: owner.id, channel: 'slack' })).toBeLessThan(20_000);
    const rare = { assigneeId: busy.owner.id, channel: 'slack' as const };
    const page = await listConversationsByChange(sql(), {
      workspaceId: busy.workspaceId,
      ...rare,
      after: null,
      limit: 50,
    });
    // The next page continues where the scan ended.
    expect(page).toMatchObject({ conversations: [], next: { micros: expect.any(String) } });
    // The scan also passes some hundred merged and removed conversations, which it does not count.
    expect(await readOf(rare, busy.workspaceId)).toBeLessThan(21_000);
  });

  test('reads a page of messages by an index', async ({ years: { workspaceId } }) => {
    const { id } = await db().conversation.findFirstOrThrow({
      where: { workspaceId, mergedFrom: { some: {} } },
    });
    const { scanned, rows } = await readingOf(() =>
      listMessages(sql(), { workspaceId, conversationId: id }, { after: null, limit: 50 }),
    );
    expect(scanned.filter((table) => !SMALL.has(table))).toEqual([]);
    expect(rows).toBeLessThan(1_000);
  });
});

/** Conversations with each tag in the large workspace, which a bitmap reads together. */
const TAGGED = 12_003;

/** Stands for the contact with the most conversations. */
const MANY_HAVE = 'many';

/** Maximum number of rows that a call may read: ten records with their relations, and some rows that a filter drops. */
const ROWS_MAX = 250;

/** Tables that stay small, or whose rows belong to the caller. */
const SMALL = new Set([
  'workspaces',
  'users',
  'members',
  'teams',
  'mailboxes',
  'companies',
  'company_domains',
  // Empty in the large installation.
  'attachments',
  'contact_aliases',
]);

type Workspace = Awaited<ReturnType<typeof connectTo>>;

/** Connects the owner of a workspace again, because only digests of tokens are stored. */
async function connectTo({ workspaceId, owner }: Awaited<ReturnType<typeof findWorkspace>>) {
  const { accessToken } = await makeConnection({ workspaceId, teammate: owner });
  const { id } = await db().conversation.findFirstOrThrow({ where: { workspaceId, notes: { some: {} } } });
  return { accessToken, conversationId: id };
}

type Read = [name: string, path: (workspace: Workspace) => string, found: number];

function searches(): Read[] {
  return [
    ['a contact by email', () => '/contacts/search?email=contact17%40example.test', 1],
    ['contacts by a phone number that many have', () => '/contacts/search?phone=49301234', 10],
    ['contacts by both', () => '/contacts/search?email=contact10%40example.test&phone=49301234', 1],
    ['a contact that is not there', () => '/contacts/search?email=nobody%40example.test&phone=1', 0],
    ['a conversation by id', ({ conversationId }) => `/conversations/search?id=${conversationId}`, 1],
    ['the conversations of a contact with many, the newest merged', () => conversationsOf(0), 10],
    ['the same in one status', () => `${conversationsOf(0)}&status=closed`, 0],
    ['the conversations of any contact', () => conversationsOf(3_002), 3],
    ['the same in a status', () => `${conversationsOf(3_002)}&status=solved`, 3],
  ];
}

function conversationsOf(contact: number): string {
  return `/conversations/search?contact_email=contact${contact}%40example.test`;
}

function samples(): Read[] {
  return [
    ...EVENT_KEYS.map((key): Read => [`samples of ${key}`, () => `/triggers/${key}/samples`, 3]),
    ['samples of a status', () => '/triggers/conversation.status_changed/samples?status=solved', 3],
    ['samples of a tag', () => '/triggers/conversation.tagged/samples?tag=TAG1', 3],
    ['samples of a tag that nothing has', () => '/triggers/conversation.tagged/samples?tag=none', 0],
    ['samples of a command', () => '/triggers/operator.command/samples?command=refund', 3],
  ];
}
