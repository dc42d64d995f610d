import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { SERVICE_URL } from '../../client/test/service.ts';
import App from '../dist/index.js';
import { connected, run } from './service.ts';

test('a call whose response was lost is sent once more, and runs once', async () => {
  const { keys, outcome, client } = await createContact({ name: 'Lost', phone: '4711' });
  assert.equal(keys.length, 2);
  assert.match(String(keys[0]), /^[0-9a-f-]{36}$/);
  assert.equal(keys[0], keys[1]);
  const { data } = await client.GET('/contacts/search', { params: { query: { phone: '4711' } } });
  assert.deepEqual(outcome, { status: 'fulfilled', value: data?.[0] });
  assert.equal(data?.length, 1);
});

test('a call that is still in progress when it is sent again waits, and runs once', async () => {
  const { keys, outcome, client } = await createContact(
    { name: 'Waiting', phone: '4712' },
    { inProgress: 5 },
  );
  assert.equal(keys.length, 7);
  assert.equal(new Set(keys).size, 1);
  const { data } = await client.GET('/contacts/search', { params: { query: { phone: '4712' } } });
  assert.deepEqual(outcome, { status: 'fulfilled', value: data?.[0] });
  assert.equal(data?.length, 1);
});

test('a call that stays in progress for 15 seconds fails with the service’s sentence, like every refused call', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const onInProgress = () => t.mock.timers.tick(5_000);
  const { keys, outcome } = await createContact(
    { name: 'Stuck', phone: '4713' },
    { inProgress: 9, onInProgress },
  );
  assert.equal(keys.length, 5);
  const error = outcome.status === 'rejected' ? outcome.reason : undefined;
  assert.equal(error?.name, 'AppError');
  assert.match(error?.message, /still in progress/);
});

for (const [status, what] of [
  [401, 'whose token was replaced in the meantime'],
  [429, 'that is then beyond the rate limit'],
] as const) {
  test(`a call whose response was lost, ${what}, fails, because Zapier would run it again with another key`, async () => {
    const phone = `48${status}`;
    const { keys, outcome, client } = await createContact({ name: 'Late', phone }, { refusal: status });
    assert.equal(keys.length, 2);
    const error = outcome.status === 'rejected' ? outcome.reason : undefined;
    assert.equal(error?.name, 'AppError');
    assert.match(error?.message, /may have run/);
    const { data } = await client.GET('/contacts/search', { params: { query: { phone } } });
    assert.equal(data?.length, 1);
  });
}

for (const [status, where] of [
  [503, 'while the service restarts'],
  [502, 'while a proxy does not reach the service'],
] as const) {
  test(`a call whose response was lost ${where} is sent again with its key, and runs once`, async () => {
    const phone = `49${status}`;
    const { keys, outcome, client } = await createContact(
      { name: 'Restarting', phone },
      { refusal: status, refusals: 2 },
    );
    assert.deepEqual([keys.length, new Set(keys).size], [4, 1]);
    const { data } = await client.GET('/contacts/search', { params: { query: { phone } } });
    assert.deepEqual(outcome, { status: 'fulfilled', value: data?.[0] });
  });
}

for (const [refusal, requests] of [
  [503, 4],
  [500, 2],
] as const) {
  test(`a call whose response was lost says that it may have run, if the service then only returns ${refusal}`, async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const onRefusal = () => t.mock.timers.tick(10_000);
    const { keys, outcome } = await createContact({ name: 'Gone', phone: '4714' }, { refusal, onRefusal });
    assert.equal(keys.length, requests);
    assert.match(outcome.status === 'rejected' ? outcome.reason.message : '', /may have run/);
  });
}

test('a call that a proxy waited for too long says that it may have run', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const onRefusal = () => t.mock.timers.tick(10_000);
  const { keys, outcome } = await createContact(
    { name: 'Slow', phone: '4715' },
    { refusal: 504, onRefusal, first: 'refused' },
  );
  assert.deepEqual([keys.length, new Set(keys).size], [3, 1]);
  assert.match(outcome.status === 'rejected' ? outcome.reason.message : '', /may have run/);
});

test('a fault of the service is shown with its sentence', async () => {
  const server = createServer((_req, res) => void res.writeHead(500).end('{"message":"Try again later."}'));
  process.env.SERVICE_URL = await listen(server);
  try {
    const search = App.searches?.find_contact?.operation.perform;
    const inputData = { email: 'ada@engines.example' };
    await assert.rejects(run(search, { authData: { access_token: 'kza_' }, inputData }), (error: Error) => {
      assert.deepEqual([error.name, JSON.parse(error.message).message], ['AppError', 'Try again later.']);
      return true;
    });
  } finally {
    process.env.SERVICE_URL = SERVICE_URL;
    server.close();
  }
});

/** Creates a contact through the proxy. Returns the keys of the requests and the outcome. */
async function createContact(fields: { name: string; phone: string }, options?: ProxyOptions) {
  const { authData, client } = await connected();
  const proxy = await startBrokenProxy(options);
  process.env.SERVICE_URL = proxy.url;
  try {
    const create = App.creates?.create_contact?.operation.perform;
    const [outcome] = await Promise.allSettled([run(create, { authData, inputData: fields })]);
    return { keys: proxy.keys, outcome, client };
  } finally {
    process.env.SERVICE_URL = SERVICE_URL;
    proxy.close();
  }
}

type ProxyOptions = {
  /** Number of requests after the first that get the service's response to a request that is still in progress. */
  inProgress?: number;
  /** Called before each such response. */
  onInProgress?: () => void;
  /** Status of the response to the requests after the first. */
  refusal?: number;
  /** Number of requests that are refused. Default: all. */
  refusals?: number;
  /** Called before each refusal. */
  onRefusal?: () => void;
  /** What becomes of the response to the first request. Default: it is cut off. */
  first?: 'cut off' | 'refused';
};

/** Starts a proxy to the service that loses the response to the first POST. */
async function startBrokenProxy({
  inProgress = 0,
  onInProgress = () => {},
  refusal,
  refusals = Number.POSITIVE_INFINITY,
  onRefusal = () => {},
  first = 'cut off',
}: ProxyOptions = {}) {
  const keys: unknown[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    keys.push(req.headers['idempotency-key']);
    const response = await fetch(`${SERVICE_URL}${req.url}`, {
      method: req.method ?? 'GET',
      headers: { 'content-type': 'application/json', ...pick(req.headers) },
      body: Buffer.concat(chunks),
    });
    const text = await response.text();
    if (keys.length === 1 && first === 'cut off') req.socket.destroy();
    else if (refusal && keys.length <= 1 + refusals) {
      onRefusal();
      const page = '<h1>Bad Gateway</h1>';
      res
        .writeHead(refusal, { 'content-type': 'application/json' })
        .end(refusal === 502 ? page : '{"message":"No."}');
    } else if (keys.length <= 1 + inProgress) {
      onInProgress();
      res
        .writeHead(409, { 'content-type': 'application/json', 'retry-after': '0' })
        .end('{"message":"The first request is still in progress."}');
    } else res.writeHead(response.status, { 'content-type': 'application/json' }).end(text);
  });
  return { keys, url: await listen(server), close: () => server.close() };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

function pick(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return {
    authorization: String(headers.authorization),
    'idempotency-key': String(headers['idempotency-key']),
  };
}
