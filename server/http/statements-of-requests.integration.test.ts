import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { settleRuns } from '#server/core/run-coalesced.ts';
import { screensFor } from '#server/screens/router.ts';
import { consentClient, REQUEST } from '#test/clients/consent-client.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { tokenClient } from '#test/clients/token-client.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeConnection, makeWaitingConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

const NEW_CONVERSATION = { to_email: 'new@elsewhere.test', subject: 'Order', content: 'Hello' };

describe('an API call sends at most this many statements', () => {
  test.for<[string, number, Call, number, unknown?]>([
    ['GET /me', 2, () => ['GET', '/me'], 200],
    [
      'GET /conversations/search',
      3,
      ({ email }) => ['GET', `/conversations/search?contact_email=${encodeURIComponent(email)}`],
      200,
    ],
    [
      'GET /contacts/search',
      3,
      ({ email }) => ['GET', `/contacts/search?email=${encodeURIComponent(email)}`],
      200,
    ],
    ['POST /contacts', 8, () => ['POST', '/contacts'], 201, { name: 'Ada', email: 'ada@elsewhere.test' }],
    ['PATCH of a contact', 9, ({ contact }) => ['PATCH', contact], 200, { email: 'ada@moved.test' }],
    ['POST /conversations', 9, () => ['POST', '/conversations'], 201, NEW_CONVERSATION],
    ['POST notes', 6, ({ at }) => ['POST', `${at}/notes`], 201, { content: 'Look' }],
    ['PATCH', 6, ({ at }) => ['PATCH', at], 200, { status: 'pending', priority: 'high' }],
    ['POST tags', 6, ({ at }) => ['POST', `${at}/tags`], 200, { tags: ['New'] }],
  ])('%s: %i', async ([_name, most, call, status, body], { api, conversation }) => {
    const { id, email } = await contactOf(conversation);
    const [method, path] = call({ at: `/conversations/${conversation}`, contact: `/contacts/${id}`, email });
    // The connection's last use is written once a minute; this call keeps it out of the measurement.
    await api('GET', '/me');
    const work = async () => expect((await api(method, path, body)).status).toBe(status);
    expect(await count(work)).toBeLessThanOrEqual(most);
  });
});

describe('a token request sends at most this many statements', () => {
  test('a refresh: 2', async ({ service }) => {
    const { refreshToken } = await makeConnection();
    const client = tokenClient(service.url);
    expect(
      await count(async () => expect((await client.refresh(refreshToken)).status).toBe(200)),
    ).toBeLessThanOrEqual(2);
  });
  test('an exchange: 3', async ({ service }) => {
    const { code } = await makeWaitingConnection();
    const client = tokenClient(service.url);
    expect(
      await count(async () => expect((await client.exchange(code)).status).toBe(200)),
    ).toBeLessThanOrEqual(3);
  });
});

describe('a page sends at most this many statements', () => {
  test('the inbox: 5', async ({ service, connection }) => {
    expect(await page(service.url, connection, inbox)).toBeLessThanOrEqual(5);
  });

  test('the inbox with a conversation: 7', async ({ service, connection, conversation }) => {
    const statements = await page(service.url, connection, (screens) => [
      ...inbox(screens),
      screens.session.workspaceOf({ kind: 'conversation', id: conversation }),
      screens.conversations.get({ id: conversation }),
    ]);
    expect(statements).toBeLessThanOrEqual(7);
  });

  test('the integrations: 6', async ({ service, connection }) => {
    const statements = await page(service.url, connection, (screens) => [
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

  test('the consent page: 4', async ({ service, connection }) => {
    const browser = consentClient(service.url, await signInAs(service.url, connection.teammate));
    const query = { ...REQUEST, code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };
    const statements = await count(async () => expect((await browser.open(query)).page?.kind).toBe('ask'));
    expect(statements).toBeLessThanOrEqual(4);
  });
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

const page = async (url: string, connection: Connection, load: (screens: Screens) => Promise<unknown>[]) => {
  const headers = new Headers({ cookie: await signInAs(url, connection.teammate) });
  return count(async () => Promise.all(load(await screensFor(headers))));
};

const inbox = (screens: Screens) => [
  screens.inbox.list({ status: 'open' }),
  screens.inbox.counts({}),
  screens.inbox.viewCounts(),
  screens.inbox.filterChoices(),
  screens.notifications.list(),
  screens.conversations.newConversation(),
];

type Screens = Awaited<ReturnType<typeof screensFor>>;

/** Returns a call for the paths of a conversation and its contact, and the contact's email address. */
type Call = (input: { at: string; contact: string; email: string }) => [method: string, path: string];

async function contactOf(conversation: string): Promise<{ id: string; email: string }> {
  const { contact } = await db().conversation.findUniqueOrThrow({
    where: { id: conversation },
    select: { contact: { select: { id: true, email: true } } },
  });
  if (!contact?.email) throw new Error('The conversation has no contact with an address.');
  return { id: contact.id, email: contact.email };
}

type Connection = Awaited<ReturnType<typeof makeConnection>>;
