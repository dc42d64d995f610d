import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type AutomationClient, AutomationError, createAutomationClient, dataOf } from '../dist/index.js';
import { connect } from './connect.ts';
import { SERVICE_URL } from './service.ts';

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
