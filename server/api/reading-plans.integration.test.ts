import { describe, expect } from 'vitest';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { db } from '#server/core/database/prisma.ts';
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
