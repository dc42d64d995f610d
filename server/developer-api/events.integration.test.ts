import { expect } from 'vitest';
import { revokeToken } from '#server/automation/tokens/api-tokens.ts';
import { db } from '#server/core/database/prisma.ts';
import { developerClient } from '#test/clients/api-client.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { makeOccurrence } from '#test/fixtures/occurrences.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

type Logged = {
  id: string;
  type: string;
  actor: object;
  caused_by: object | null;
  data: Record<string, unknown>;
};
type Page = { data: Logged[]; has_more: boolean; next_cursor: string };

test('a program catches up page by page, and gets an event as the platform’s hooks do, with its cause', async ({
  service,
  connection,
  api,
}) => {
  const { workspaceId, teammate } = connection;
  const { token } = await makeApiToken({ abilities: ['read'], where: { workspaceId, by: teammate } });
  const list = lister(service.url, token);
  const created = [];
  for (let n = 0; n < 3; n += 1) created.push((await api('POST', '/contacts', { name: `Ada ${n}` })).body);
  await isSettled(list, created.length);
  const first = await list('?limit=2');
  expect(first.data).toHaveLength(2);
  expect(first.has_more).toBe(true);
  const second = await list(`?limit=2&after=${first.next_cursor}`);
  expect(second).toMatchObject({ has_more: false });
  expect([...first.data, ...second.data].map(({ data }) => data.contact)).toEqual(created);
  const row = await db().event.findFirstOrThrow({ where: { id: first.data[0]?.id ?? '' } });
  const { id, event, occurred_at, ...data } = JSON.parse(row.body);
  expect(first.data[0]).toEqual({
    id,
    type: event,
    timestamp: occurred_at,
    actor: { type: 'platform', id: teammate.id, name: teammate.name },
    caused_by: { type: 'connection', id: connection.id },
    data,
  });
  expect((await list(`?after=${second.next_cursor}`)).data).toEqual([]);
  expect((await list('?after=now')).data).toEqual([]);
});

test('events are recorded in a workspace without a connection while it has a token that is live', async ({
  service,
}) => {
  const { id, token, workspaceId, by } = await makeApiToken({ abilities: ['read'] });
  const stage = { workspaceId, teammate: by };
  await makeOccurrence('contact.created', stage, { at: new Date() });
  await isSettled(lister(service.url, token), 1);
  await revokeToken({ id, workspaceId, by });
  await makeOccurrence('contact.created', stage, { at: new Date() });
  expect(await db().event.count({ where: { workspaceId } })).toBe(1);
});

test('a wrong cursor or limit is named, and events of another workspace are never listed', async ({
  service,
}) => {
  const [mine, other] = [await makeApiToken(), await makeApiToken()];
  await makeOccurrence(
    'contact.created',
    { workspaceId: other.workspaceId, teammate: other.by },
    { at: new Date() },
  );
  const others = lister(service.url, other.token);
  const { next_cursor } = await isSettled(others, 1);
  const api = developerClient(service.url, mine.token);
  expect((await api('GET', `/events?after=${next_cursor}`)).body).toMatchObject({ data: [] });
  expect((await api('GET', '/events')).body).toMatchObject({ data: [] });
  expect(await api('GET', '/events?after=yesterday&limit=101')).toMatchObject({
    status: 422,
    body: {
      errors: {
        after: ['The cursor (after) is not valid. Send the next_cursor of a page, or now.'],
        limit: ['The limit must be a whole number from 1 to 100.'],
      },
    },
  });
});

const lister = (url: string, token: string) => async (query: string) => {
  const { status, body } = await developerClient(url, token)('GET', `/events${query}`);
  expect(status).toBe(200);
  return body as Page;
};

/** Waits until the log has this many events: transactions of other tests hold it up. Returns them. */
const isSettled = (list: (query: string) => Promise<Page>, count: number): Promise<Page> =>
  until(`the log has ${count} events`, async () => {
    const page = await list('');
    return page.data.length >= count && page;
  });
