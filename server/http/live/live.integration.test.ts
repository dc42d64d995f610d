import { get, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, vi } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { LiveTopic, RecentChanges } from '#server/core/live/live-topics.ts';
import { flushPublished, publish } from '#server/core/live/publish.ts';
import { closeServer } from '#server/http/close-server.ts';
import { createHttpServer } from '#server/http/create-http-server.ts';
import { findSignedIn, switchWorkspace } from '#server/teammates/signed-in.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { statementsOf } from '#test/database/statements.ts';
import { addMember, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';
import { startServerProcess } from '#test/servers/service-processes.ts';

afterEach(() => {
  vi.useRealTimers();
  for (const response of open) response.destroy();
  open.clear();
});

describe('an open page', () => {
  test('receives changes of its workspace only', async ({ service }) => {
    const [own, other] = [await makeListener(service.url), await makeListener(service.url)];
    const [stream, strangers] = [
      await openStream(service.url, own.cookie),
      await openStream(service.url, other.cookie),
    ];
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
    });
    await publishAndReceive(strangers, other.workspaceId, 'notifications');
    await publishAndReceive(stream, own.workspaceId, 'deliveries');
    expect(topics(stream)).toEqual(['deliveries']);
    expect(topics(strangers)).toEqual(['notifications']);
  });

  test('receives changes from any process', async ({ service }) => {
    const { cookie, workspaceId } = await makeListener(service.url);
    const elsewhere = await startServerProcess();
    const stream = await openStream(elsewhere.url, cookie);
    await publishAndReceive(stream, workspaceId, 'deliveries');
    expect(await elsewhere.stop()).toBe(0);
  });

  test('receives many changes at most twice a second', async ({ service }) => {
    const { cookie, workspaceId } = await makeListener(service.url);
    const stream = await openStream(service.url, cookie);
    const statements = await statementsOf(async () => {
      for (let i = 0; i < 1_000; i += 1) publish(workspaceId, 'deliveries');
      await flushPublished();
      await receives(stream, 'deliveries');
    });
    expect(statements.filter(({ text }) => text.includes('pg_notify')).length).toBeLessThanOrEqual(2);
    expect(topics(stream).length).toBeLessThanOrEqual(2);
  });

  test('learns which topics have changed before its stream, and how long ago', async ({ service }) => {
    const [own, other] = [await makeListener(service.url), await makeListener(service.url)];
    const earlier = await openStream(service.url, own.cookie);
    await publishAndReceive(earlier, own.workspaceId, 'deliveries');
    const { completeMs, changedMs } = await recentOf(await openStream(service.url, own.cookie));
    expect(Object.keys(changedMs)).toEqual(['deliveries']);
    expect(changedMs.deliveries).toBeLessThanOrEqual(completeMs);
    expect(await recentOf(await openStream(service.url, other.cookie))).toMatchObject({ changedMs: {} });
  });

  test('learns that the server has just begun to listen', async ({ service }) => {
    const { cookie, workspaceId } = await makeListener(service.url);
    const stream = await openStream(service.url, cookie);
    await publishAndReceive(stream, workspaceId, 'deliveries');
    const [pid] = await listeners();
    const lostAt = performance.now();
    await db().$executeRaw`select pg_terminate_backend(${pid}::int)`;
    await until('the process listens again', () => stream.text.includes('event: missed'));
    const { completeMs, changedMs } = await recentOf(await openStream(service.url, cookie));
    expect(completeMs).toBeLessThan(performance.now() - lostAt);
    expect(changedMs).toEqual({});
  });

  test('is told that it may have missed changes after the database connection was restored', async ({
    service,
  }) => {
    const { cookie, workspaceId } = await makeListener(service.url);
    const stream = await openStream(service.url, cookie);
    for (const pid of await listeners()) await db().$executeRaw`select pg_terminate_backend(${pid}::int)`;
    await until('the process listens again', () => stream.text.includes('event: missed'));
    await publishAndReceive(stream, workspaceId, 'deliveries');
    expect(stream.ended).toBe(false);
  });

  test('ignores notifications that are not live messages', async ({ service }) => {
    const { cookie, workspaceId } = await makeListener(service.url);
    const stream = await openStream(service.url, cookie);
    for (const odd of ['', 'no JSON', '{}', JSON.stringify({ workspaceId, topic: 'x\n\nevent: enough' })]) {
      await db().$executeRaw`select pg_notify('live', ${odd})`;
    }
    await publishAndReceive(stream, workspaceId, 'deliveries');
    expect(stream.text).not.toContain('enough');
    expect(topics(stream)).toEqual(['deliveries']);
  });
});

describe('an attacker cannot listen', () => {
  test.for([
    ['without a session', {}, 401],
    ['with a made-up session', { cookie: 'inbox.session_token=made-up.signature' }, 401],
  ] as const)('%s', async ([_how, headers, status], { service }) => {
    expect((await fetch(`${service.url}/live`, { headers })).status).toBe(status);
  });

  test('from a page of another site, even if the browser sends the cookie', async ({ service }) => {
    const { cookie } = await makeListener(service.url);
    for (const site of ['cross-site', 'same-site', 'none']) {
      const stream = await openStream(service.url, cookie, { 'sec-fetch-site': site });
      expect(stream.status).toBe(403);
    }
    const own = await openStream(service.url, cookie, { 'sec-fetch-site': 'same-origin' });
    expect(own.status).toBe(200);
    expect(own.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('as a teammate without a workspace', async ({ service }) => {
    const user = await makeUser();
    expect((await openStream(service.url, await signInAs(service.url, user))).status).toBe(403);
  });

  test('with another method than GET and POST', async ({ service }) => {
    const { cookie } = await makeListener(service.url);
    const response = await fetch(`${service.url}/live`, { method: 'PUT', headers: { cookie } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });
});

describe('the next heartbeat ends a stream', () => {
  test.for<[string, (listener: Awaited<ReturnType<typeof makeListener>>) => Promise<unknown>]>([
    ['whose session ended', ({ user }) => db().session.deleteMany({ where: { userId: user.id } })],
    [
      'whose session expired',
      ({ user }) =>
        db().session.updateMany({
          where: { userId: user.id },
          data: { expiresAt: new Date(Date.now() - 1_000) },
        }),
    ],
    [
      'whose teammate left the workspace',
      ({ user }) => db().member.deleteMany({ where: { userId: user.id } }),
    ],
  ])('%s', async ([_whose, change], { service }) => {
    const listener = await makeListener(service.url);
    const { stream, beat, stop } = await withHeartbeats(listener.cookie);
    beat();
    await until('the heartbeat arrives', () => stream.text.includes('event: heartbeat'));
    await change(listener);
    beat();
    await until('the stream ends', () => stream.ended);
    await stop();
  });

  test('but not one whose session is valid', async ({ service }) => {
    const listener = await makeListener(service.url);
    const { stream, beat, stop } = await withHeartbeats(listener.cookie);
    const beats = () => stream.text.match(/event: heartbeat/g)?.length ?? 0;
    for (const count of [1, 2, 3]) {
      beat();
      await until('the heartbeat arrives', () => beats() === count);
    }
    await publishAndReceive(stream, listener.workspaceId, 'deliveries');
    expect(stream.ended).toBe(false);
    await stop();
  });
});

test('a page listens to the workspace that was opened last in its session, without waiting for a heartbeat', async ({
  service,
}) => {
  const { user, cookie, workspaceId } = await makeListener(service.url);
  const other = await makeWorkspace();
  await addMember(other.id, user.id, 'agent');
  const [stream, elsewhere] = [
    await openStream(service.url, cookie),
    await openStream(service.url, await signInAs(service.url, user)),
  ];
  const signedIn = await findSignedIn(new Headers({ cookie }));
  if (!signedIn) throw new Error('No one is signed in.');
  await switchWorkspace(signedIn, other.id);
  await until('the stream of the previous workspace ends', () => stream.ended);
  const next = await openStream(service.url, cookie);
  await publishAndReceive(next, other.id, 'deliveries');
  // In another browser the previous workspace is still open.
  await publishAndReceive(elsewhere, workspaceId, 'deliveries');
  expect(elsewhere.ended).toBe(false);
});

test('a teammate with more than 20 open pages loses the stream of the oldest, once', async ({ service }) => {
  const { cookie, workspaceId } = await makeListener(service.url);
  const colleague = await makeUser();
  await addMember(workspaceId, colleague.id, 'viewer');
  const theirs = await openStream(service.url, await signInAs(service.url, colleague));
  const [first, second] = [await openStream(service.url, cookie), await openStream(service.url, cookie)];
  const rest = await Promise.all(Array.from({ length: 19 }, () => openStream(service.url, cookie)));
  await until('the oldest ends', () => first.ended);
  expect(first.text).toContain('event: enough');
  for (const stream of [second, theirs, ...rest]) {
    await publishAndReceive(stream, workspaceId, 'deliveries');
    expect(stream.ended).toBe(false);
  }
});

test('a stopping server ends its streams immediately and completely', async ({ service }) => {
  const { cookie } = await makeListener(service.url);
  const server = await startServerProcess();
  const streams = await Promise.all(Array.from({ length: 3 }, () => openStream(server.url, cookie)));
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await server.stop()).toBe(0);
  await until('the streams end', () => streams.every(({ ended }) => ended));
  // Otherwise they would be cut after the server's grace period, and be incomplete.
  expect(streams.map(({ response }) => response.complete)).toEqual([true, true, true]);
});

test('a closed page is removed, and the last one closes the listening connection', async ({ service }) => {
  const { cookie, workspaceId } = await makeListener(service.url);
  const staying = await openStream(service.url, cookie);
  // PostgreSQL can still show the connection of a server that has just stopped.
  const listenersAre = (count: number) => async () => (await listeners()).length === count;
  await until('only this server listens', listenersAre(1));
  const server = await startTestServer();
  const stream = await openStream(server.url, cookie);
  expect(await listeners()).toHaveLength(2);
  const aborted = request(`${server.url}/live`, { headers: { cookie } });
  aborted.on('error', () => undefined);
  aborted.end(() => aborted.destroy());
  stream.response.destroy();
  await server.stop();
  await until('the connection is closed', listenersAre(1));
  await publishAndReceive(staying, workspaceId, 'deliveries');
});

const open = new Set<IncomingMessage>();

/** Creates a signed-in member of a new workspace. */
async function makeListener(url: string) {
  const workspaceId = (await makeWorkspace()).id;
  const user = await makeUser();
  await addMember(workspaceId, user.id, 'agent');
  return { workspaceId, user, cookie: await signInAs(url, user) };
}

/**
 * Opens a stream as a browser does. `text` is the data so far; `ended` is true once the server closed the
 * stream.
 */
async function openStream(url: string, cookie: string, headers: Record<string, string> = {}) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}/live`, { headers: { cookie, ...headers }, agent: false }, resolve).on('error', reject);
  });
  open.add(response);
  const stream = { status: response.statusCode, headers: response.headers, text: '', ended: false, response };
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    stream.text += text;
  });
  response.on('close', () => {
    stream.ended = true;
  });
  response.on('error', () => undefined);
  return stream;
}

type Stream = Awaited<ReturnType<typeof openStream>>;

const topics = ({ text }: Stream) =>
  [...text.matchAll(/event: changed\ndata: (.*)\n\n/g)].map(([, topic]) => topic);
/** Returns what a new stream says of the time before it. */
async function recentOf(stream: Stream): Promise<RecentChanges> {
  const read = () => /event: recent\ndata: (.*)\n\n/.exec(stream.text)?.[1];
  await until('the stream begins', () => read() !== undefined);
  return JSON.parse(read() ?? '');
}
const receives = (stream: Stream, topic: LiveTopic) =>
  until(`the page receives ${topic}`, () => topics(stream).includes(topic));

/** Returns the database connections on which processes listen for changes. */
async function listeners(): Promise<number[]> {
  const rows = await db().$queryRaw<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and application_name = 'live'`;
  return rows.map(({ pid }) => pid);
}

/** Starts another server in this process. */
async function startTestServer() {
  const server = createHttpServer(async (_req, res) => void res.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => closeServer(server, 5_000) };
}

/**
 * Publishes to a workspace and waits until a page has received it. Everything published before has then
 * arrived.
 */
async function publishAndReceive(stream: Stream, workspaceId: string, topic: LiveTopic): Promise<void> {
  publish(workspaceId, topic);
  await flushPublished();
  await receives(stream, topic);
}

/** Starts a server whose heartbeats the test triggers. */
async function withHeartbeats(cookie: string) {
  // No stream is open, so the next one starts a new heartbeat timer.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const own = await startTestServer();
  const stream = await openStream(own.url, cookie);
  return {
    stream,
    beat: () => vi.advanceTimersByTime(25_000),
    stop: own.stop,
  };
}
