import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  type AutomationClient,
  AutomationError,
  createAutomationClient,
  createDeveloperClient,
  dataOf,
  uploadFile,
} from '../dist/index.js';
import { connect } from './connect.ts';
import { control, makeWorkspace, SERVICE_URL } from './service.ts';

describe('the client', () => {
  let client: AutomationClient;
  let accessToken: string;
  let workspaceName: string;
  before(async () => {
    ({ accessToken, workspaceName } = await connect());
    client = createAutomationClient({ baseUrl: SERVICE_URL, accessToken });
  });

  test('reads its connection', async () => {
    const connection = dataOf(await client.GET('/me'));
    assert.equal(connection.workspace_name, workspaceName);
  });

  test('creates, finds and updates a contact', async () => {
    const email = 'ada@engines.example';
    const created = dataOf(await client.POST('/contacts', { body: { email, name: 'Ada Lovelace' } }));
    const found = dataOf(await client.GET('/contacts/search', { params: { query: { email } } }));
    assert.deepEqual(found, [created]);
    const path = { id: created.id };
    const updated = dataOf(
      await client.PATCH('/contacts/{id}', { params: { path }, body: { city: 'London' } }),
    );
    assert.deepEqual([updated.first_name, updated.city], ['Ada', 'London']);
  });

  test('throws a refusal with its sentence and field', async () => {
    const body = { email: 'nobody', name: 'Nobody' };
    const refused = client.POST('/contacts', { body }).then(dataOf);
    await assert.rejects(refused, (error) => {
      assert.ok(error instanceof AutomationError);
      assert.equal(error.status, 422);
      assert.deepEqual(error.errors.email, [error.message]);
      return true;
    });
  });

  test('gets the token before each call', async () => {
    const tokens = [accessToken, 'kza_gone'];
    const changing = createAutomationClient({
      baseUrl: SERVICE_URL,
      accessToken: async () => tokens.shift() ?? '',
    });
    assert.equal((await changing.GET('/me')).response.status, 200);
    const { error, response } = await changing.GET('/me');
    assert.deepEqual([response.status, error?.message], [401, 'The connection has expired, reconnect.']);
  });

  test('retries a POST whose response was lost, and it runs once', async (t) => {
    const send = globalThis.fetch;
    const keys: (string | null)[] = [];
    t.mock.method(globalThis, 'fetch', async (request: Request) => {
      keys.push(request.headers.get('idempotency-key'));
      const response = await send(request);
      if (keys.length === 1) throw new TypeError('fetch failed');
      return response;
    });
    const result = await client.POST('/contacts', { body: { name: 'Lost', phone: '4711' } });
    const made = dataOf(result);
    assert.equal(result.response.headers.get('idempotent-replayed'), 'true');
    assert.equal(keys.length, 2);
    assert.match(keys[0] ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(keys[0], keys[1]);
    t.mock.restoreAll();
    const query = { phone: '4711' };
    assert.deepEqual(dataOf(await client.GET('/contacts/search', { params: { query } })), [made]);
  });

  test('sends the caller’s key unchanged, and no key with a GET', async (t) => {
    const send = globalThis.fetch;
    const keys: (string | null)[] = [];
    t.mock.method(globalThis, 'fetch', (request: Request) => {
      keys.push(request.headers.get('idempotency-key'));
      return send(request);
    });
    const header = { 'Idempotency-Key': 'order-1042' };
    const create = () => client.POST('/contacts', { params: { header }, body: { name: 'Own key' } });
    assert.deepEqual(dataOf(await create()), dataOf(await create()));
    await client.GET('/me');
    assert.deepEqual(keys, ['order-1042', 'order-1042', null]);
  });

  test('repeats a POST while its first request is in progress, and it runs once', async (t) => {
    const send = globalThis.fetch;
    const keys: (string | null)[] = [];
    t.mock.method(globalThis, 'fetch', async (request: Request) => {
      keys.push(request.headers.get('idempotency-key'));
      const response = await send(request);
      if (keys.length === 1) throw new TypeError('fetch failed');
      return keys.length <= 6 ? refusal(409, '0') : response;
    });
    const result = await client.POST('/contacts', { body: { name: 'Slow', phone: '4712' } });
    const made = dataOf(result);
    assert.equal(result.response.headers.get('idempotent-replayed'), 'true');
    assert.equal(keys.length, 7);
    assert.equal(new Set(keys).size, 1);
    t.mock.restoreAll();
    const query = { phone: '4712' };
    assert.deepEqual(dataOf(await client.GET('/contacts/search', { params: { query } })), [made]);
  });

  test('returns the refusal of a POST that stays in progress for 30 seconds', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const fetched = t.mock.method(globalThis, 'fetch', async () => refusal(409, '1'));
    const waiting = createAutomationClient({
      baseUrl: SERVICE_URL,
      accessToken,
      wait: async () => t.mock.timers.tick(10_000),
    });
    const { response } = await waiting.POST('/contacts', { body: { name: 'Stuck' } });
    assert.equal(response.status, 409);
    assert.equal(fetched.mock.callCount(), 4);
  });

  test('repeats a call with the token that is current after the wait', async (t) => {
    const send = globalThis.fetch;
    let calls = 0;
    t.mock.method(globalThis, 'fetch', (request: Request) => {
      calls += 1;
      return calls === 1 ? Promise.resolve(refusal(429, '0')) : send(request);
    });
    const tokens = ['kza_replaced', accessToken];
    const changing = createAutomationClient({
      baseUrl: SERVICE_URL,
      accessToken: () => tokens.shift() ?? '',
    });
    assert.equal(dataOf(await changing.GET('/me')).workspace_name, workspaceName);
  });

  test('stops to wait for Retry-After when the call is aborted', async (t) => {
    const fetched = t.mock.method(globalThis, 'fetch', async () => refusal(429, '60'));
    const started = performance.now();
    const aborted = client.GET('/me', { signal: AbortSignal.timeout(100) });
    await assert.rejects(aborted, { name: 'TimeoutError' });
    assert.ok(performance.now() - started < 30_000);
    assert.equal(fetched.mock.callCount(), 1);
  });

  test('waits for Retry-After beyond the rate limit, and retries once', async (t) => {
    const waits: number[] = [];
    const announced: number[] = [];
    const send = globalThis.fetch;
    t.mock.method(globalThis, 'fetch', async (...given: Parameters<typeof fetch>) => {
      const response = await send(...given);
      if (response.status === 429) announced.push(Number(response.headers.get('retry-after')));
      return response;
    });
    const { accessToken: token } = await connect();
    const patient = createAutomationClient({
      baseUrl: SERVICE_URL,
      accessToken: token,
      wait: async (seconds) => void waits.push(seconds),
    });
    const left = Array.from({ length: 300 }, () => patient.GET('/teams').then(dataOf));
    await Promise.all(left);
    assert.deepEqual(waits, []);
    const refused = patient.POST('/contacts', { body: { name: 'Late' } }).then(dataOf);
    await assert.rejects(refused, (error) => {
      assert.ok(error instanceof AutomationError);
      assert.equal(error.status, 429);
      // The second response can be a second later, with a shorter Retry-After.
      assert.deepEqual([waits, announced], [announced.slice(0, 1), [waits[0], error.retryAfterSeconds]]);
      return true;
    });
  });
});

test('the client of the developer API reads page by page and writes with an API token', async () => {
  const { id: workspaceId } = await makeWorkspace();
  const { token } = await control<{ token: string }>('/tokens', { workspaceId });
  const client = createDeveloperClient({ apiUrl: `${SERVICE_URL}/api/v1`, token });
  const names = ['Ada', 'Grace', 'Katherine'];
  for (const name of names) dataOf(await client.POST('/contacts', { body: { name } }));
  const read: (string | null)[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: 2, ...(cursor === null ? {} : { cursor }) };
    const page: { data: { name: string | null }[]; next_cursor: string | null } = dataOf(
      await client.GET('/contacts', { params: { query } }),
    );
    read.push(...page.data.map(({ name }) => name));
    cursor = page.next_cursor;
  } while (cursor !== null);
  assert.deepEqual(read, names);
  const id = crypto.randomUUID();
  const refused = client
    .POST('/conversations/{id}/replies', { params: { path: { id } }, body: { content: 'Hello' } })
    .then(dataOf);
  await assert.rejects(refused, (error) => error instanceof AutomationError && error.status === 404);
});

test('the client of the developer API sends a file with a reply', async () => {
  const { id: workspaceId } = await makeWorkspace();
  const { token } = await control<{ token: string }>('/tokens', { workspaceId });
  const client = createDeveloperClient({ apiUrl: `${SERVICE_URL}/api/v1`, token });
  const body = { to_email: 'ada@engines.example', subject: 'Your order', content: 'Hello Ada' };
  const { id } = dataOf(await client.POST('/conversations', { body }));
  const file = dataOf(await uploadFile(client, new Blob(['Invoice'], { type: 'text/plain' }), 'invoice.txt'));
  assert.deepEqual([file.name, file.content_type, file.size_bytes], ['invoice.txt', 'text/plain', 7]);
  const params = { path: { id } };
  const reply = { content: 'Your invoice', attachment_ids: [file.id] };
  dataOf(await client.POST('/conversations/{id}/replies', { params, body: reply }));
  const { data } = dataOf(await client.GET('/conversations/{id}/messages', { params }));
  assert.deepEqual(
    data.at(-1)?.attachments.map(({ name }) => name),
    ['invoice.txt'],
  );
});

const refusal = (status: number, retryAfter: string) =>
  Response.json({ message: 'Try again later.' }, { status, headers: { 'Retry-After': retryAfter } });
