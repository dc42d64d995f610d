import { describe, expect } from 'vitest';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { type ApiResponse, apiClient } from '#test/clients/api-client.ts';
import { fillWorkspace } from '#test/database/large-workspace.ts';
import { readPlan } from '#test/database/read-plan.ts';
import { statementsOf } from '#test/database/statements.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { makeWholeWorkspace } from '#test/fixtures/whole-workspace.ts';

// The cost of searches and samples must not grow with the workspace. In a workspace with many rows, each call's statements are
// explained: none may scan a whole table or read many rows.

const test = serviceTest
  .extend('workspace', { scope: 'file' }, ({ service: _ }) => makeLargeWorkspace())
  .extend('get', { scope: 'file' }, ({ service, workspace }) => warmClient(service.url, workspace));

describe.each([...searches(), ...samples()])('%s', (_name, path, found) => {
  test('is found by an index, in few rows and few round trips', async ({ workspace, get }) => {
    const responses: ApiResponse[] = [];
    const statements = await statementsOf(async () => responses.push(await get(path(workspace))));
    expect(responses[0]).toMatchObject({ status: 200 });
    expect(responses[0]?.body).toHaveLength(found);

    const [caller, limit, ...own] = statements;
    expect(caller?.text).toContain('from access_tokens');
    expect(limit?.text).toContain('rate_limits');
    expect(own.length).toBeLessThanOrEqual(2);
    for (const statement of statements) {
      const { scanned, rows } = await readPlan(statement);
      const seen = { statement: statement.text, scanned: scanned.filter((table) => !SMALL.has(table)) };
      expect(seen).toEqual({ statement: statement.text, scanned: [] });
      expect(rows).toBeLessThanOrEqual(ROWS_MAX);
    }
  });
});

const CONTACTS = 4_000;
const CONVERSATIONS = 20_000;

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

async function makeLargeWorkspace(): Promise<Workspace> {
  const workspace = await makeWholeWorkspace();
  await fillWorkspace(workspace, { contacts: CONTACTS, conversations: CONVERSATIONS });
  return workspace;
}

/** Returns a function that GETs a path, after a first call, which also writes `last_used_at`. */
async function warmClient(url: string, { accessToken }: Workspace) {
  const api = apiClient(url, accessToken);
  await api('GET', '/me');
  return (path: string): Promise<ApiResponse> => api('GET', path);
}

type Workspace = Awaited<ReturnType<typeof makeWholeWorkspace>>;

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
    ['the conversations of any contact', () => conversationsOf(3_002), 5],
    ['the same in a status', () => `${conversationsOf(3_002)}&status=solved`, 5],
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
