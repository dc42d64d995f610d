import { beforeAll, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { settleRuns } from '#server/core/run-coalesced.ts';
import { screensFor } from '#server/screens/router.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { consentClient, REQUEST } from '#test/clients/consent-client.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { tokenClient } from '#test/clients/token-client.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection, makeWaitingConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let ours: Awaited<ReturnType<typeof makeConnection>>;
let conversation: string;
let email: string;

beforeAll(async () => {
  ours = await makeConnection();
  conversation = await makeConversation(ours);
  const found = await db().conversation.findUniqueOrThrow({
    where: { id: conversation },
    select: { contact: { select: { email: true } } },
  });
  email = found.contact?.email ?? '';
});

/**
 * Counts the statements of a request, without those that are batched after its commit: moving jobs and waking
 * workers.
 */
async function count(work: () => Promise<unknown>): Promise<number> {
  await settleRuns();
  const sent = await statementsOf(work);
  const own = sent.filter(({ text }) => !/pg_notify|delete from job_outbox/.test(text));
  return own.length;
}

describe('an API call sends at most this many statements', () => {
  const call = (method: string, path: () => string, status: number, body?: unknown) => async () => {
    const response = await apiClient(service.url, ours.accessToken)(method, path(), body);
    expect(response.status).toBe(status);
  };
  const to = {
    toEmail: 'new@elsewhere.test',
    body: { to_email: 'new@elsewhere.test', subject: 'Order', content: 'Hello' },
  };
  const at = (path: string) => () => `/conversations/${conversation}${path}`;
  test.each([
    ['GET /me', 2, call('GET', () => '/me', 200)],
    [
      'GET /conversations/search',
      3,
      call('GET', () => `/conversations/search?contact_email=${encodeURIComponent(email)}`, 200),
    ],
    ['POST /conversations', 9, call('POST', () => '/conversations', 201, to.body)],
    ['POST notes', 6, call('POST', at('/notes'), 201, { content: 'Look' })],
    ['PATCH', 6, call('PATCH', at(''), 200, { status: 'pending', priority: 'high' })],
    ['POST tags', 6, call('POST', at('/tags'), 200, { tags: ['New'] })],
  ])('%s: %i', async (_name, most, work) => {
    // The connection's last use is written once a minute; this call keeps it out of the measurement.
    await apiClient(service.url, ours.accessToken)('GET', '/me');
    expect(await count(work)).toBeLessThanOrEqual(most);
  });
});

describe('a token request sends at most this many statements', () => {
  test('a refresh: 2', async () => {
    const { refreshToken } = await makeConnection();
    const client = tokenClient(service.url);
    expect(
      await count(async () => expect((await client.refresh(refreshToken)).status).toBe(200)),
    ).toBeLessThanOrEqual(2);
  });
  test('an exchange: 3', async () => {
    const { code } = await makeWaitingConnection();
    const client = tokenClient(service.url);
    expect(
      await count(async () => expect((await client.exchange(code)).status).toBe(200)),
    ).toBeLessThanOrEqual(3);
  });
});

describe('a page sends at most this many statements', () => {
  const page = async (load: (screens: Awaited<ReturnType<typeof screensFor>>) => Promise<unknown>[]) => {
    const headers = new Headers({ cookie: await signInAs(service.url, ours.teammate) });
    return count(async () => Promise.all(load(await screensFor(headers))));
  };
  const inbox = (screens: Awaited<ReturnType<typeof screensFor>>) => [
    screens.inbox.list({ status: 'open' }),
    screens.inbox.counts({}),
    screens.inbox.viewCounts(),
    screens.inbox.filterChoices(),
    screens.notifications.list(),
    screens.conversations.newConversation(),
  ];

  test('the inbox: 5', async () => {
    expect(await page(inbox)).toBeLessThanOrEqual(5);
  });

  test('the inbox with a conversation: 7', async () => {
    const statements = await page((screens) => [
      ...inbox(screens),
      screens.session.workspaceOf({ kind: 'conversation', id: conversation }),
      screens.conversations.get({ id: conversation }),
    ]);
    expect(statements).toBeLessThanOrEqual(7);
  });

  test('the integrations: 6', async () => {
    const statements = await page((screens) => [
      screens.connections.overview(),
      screens.connections.listEnded({}),
      screens.connections.listAudit({}),
      screens.hooks.list(),
      screens.deliveries.list({}),
      screens.deliveries.countFailed({}),
      screens.inbox.viewCounts(),
      screens.notifications.list(),
    ]);
    expect(statements).toBeLessThanOrEqual(6);
  });

  test('the consent page: 4', async () => {
    const browser = consentClient(service.url, await signInAs(service.url, ours.teammate));
    const query = { ...REQUEST, code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };
    const statements = await count(async () => expect((await browser.open(query)).page?.kind).toBe('ask'));
    expect(statements).toBeLessThanOrEqual(4);
  });
});
