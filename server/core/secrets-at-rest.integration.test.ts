import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { makeLog } from '#server/core/log.ts';
import { digest } from '#server/core/secrets.ts';
import { PASSWORD } from '#test/clients/sign-in.ts';
import { basic, tokenClient } from '#test/clients/token-client.ts';
import { addMember, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { breakTables, connectAndCall } from '#test/fixtures/secret-journey.ts';
import { PLATFORM, startTestService, type TestService } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';
import { startMailServer } from '#test/servers/mail-server.ts';
import { startReceiver } from '#test/servers/receiver.ts';
import {
  type ServerProcess,
  startServerProcess,
  startWorkerProcess,
  type WorkerProcess,
} from '#test/servers/service-processes.ts';
import { tablesWith } from '#test/servers/tables-with.ts';

/** Output of the process: its log, with the log's own settings, and output of libraries. */
const written = { lines: [] as string[] };

let service: TestService;
let second: ServerProcess;
let worker: WorkerProcess;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let mail: Awaited<ReturnType<typeof startMailServer>>;
/** Every secret of the run, by name. */
const secrets: Record<string, string> = {
  'client secret': PLATFORM.clientSecret,
  'HTTP Basic': basic().authorization.slice('Basic '.length),
  password: PASSWORD,
};

beforeAll(async () => {
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...parts) => void written.lines.push(parts.join(' ')));
  }
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => written.lines.push(String(chunk)) > 0);
  }
  [receiver, mail] = await Promise.all([startReceiver(PLATFORM.hooksHost), startMailServer()]);
  service = await startTestService({
    LOG_LEVEL: 'trace',
    HOOKS_CONNECT_TO: receiver.connectTo,
    HOOKS_CA_FILE: receiver.caFile,
    SMTP_URL: mail.url,
  });
  takeLog();
  second = await startServerProcess();
  worker = await startWorkerProcess();
  const workspace = await makeWorkspace();
  await addMember(workspace.id, (await makeUser('Bea Boss')).id, 'owner');
  const journey = { workspaceId: workspace.id, secrets };
  const first = await connectAndCall({ ...journey, server: 'first', url: service.url, byPage: true });
  // The separate server process renders no pages with a form to read.
  await connectAndCall({ ...journey, server: 'second', url: second.url, byPage: false });
  await breakTables([service.url, second.url], first);
  await endAll();
});

afterAll(async () => {
  await worker.stop();
  await second.stop();
  await service.stop();
  await Promise.all([receiver.stop(), mail.stop()]);
  // The next file starts its own log.
  (globalThis as WithLog).serviceLog = undefined;
  vi.restoreAllMocks();
});

type WithLog = typeof globalThis & { serviceLog?: ReturnType<typeof makeLog> | undefined };

/** Redirects the log of this process, even if an earlier file has started it. */
function takeLog(): void {
  (globalThis as WithLog).serviceLog = makeLog({ write: (line) => written.lines.push(line) });
}

/** Ends connections, notifies owners by mail, and settles events in flight. */
async function endAll() {
  await until('events were delivered', () => receiver.received.length > 0);
  expect((await tokenClient(service.url).revoke(secrets['second refresh token'] ?? '')).status).toBe(200);
  await until('owners were notified by mail of starts and ends', () => {
    const subjects = mail.received.map(({ email }) => email.subject ?? '');
    return (
      subjects.some((subject) => /connected/.test(subject)) &&
      subjects.some((subject) => /ended/.test(subject))
    );
  });
}

const found = (pattern: string) => tablesWith(pool(), pattern);
const hexOf = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('hex');

describe('RFC 6819 §5.1.4.1: the attacker who reads the database finds nothing to use', () => {
  test('no table contains codes, tokens or the secret of a consent form, as text or bytes', async () => {
    const others = Object.entries(secrets).filter(([name]) => !name.endsWith('session'));
    expect(others).toHaveLength(12);
    for (const [name, secret] of others) {
      expect(secret.length, name).toBeGreaterThan(10);
      expect(await found(secret), name).toEqual([]);
      expect(await found(hexOf(secret)), name).toEqual([]);
      expect(await found(Buffer.from(secret).toString('base64').replace(/.=*$/, '')), name).toEqual([]);
    }
    expect(await found('kz[acr]_[0-9A-Za-z]{20}')).toEqual([]);
  });

  test('this search would find them: it finds their digests', async () => {
    const stored = {
      'first code': 'authorization_codes',
      'second replaced access token': 'access_tokens',
      'first refresh token': 'refresh_tokens',
      'first form secret': 'consent_forms',
    };
    for (const [name, table] of Object.entries(stored)) {
      expect(await found(hexOf(digest(secrets[name] ?? '')))).toEqual([`public.${table}`]);
    }
    expect(await found('Olivia Owen')).toContain('public.connections');
  });
});

describe('docs/rulings.md: OAuth, 11: the attacker who reads the log finds nothing to use', () => {
  const expectNoSecret = (text: string) => {
    for (const [name, secret] of Object.entries(secrets)) {
      expect(text.includes(secret), name).toBe(false);
      expect(text.includes(hexOf(secret)), `${name}, as bytes`).toBe(false);
      expect(text.includes(encodeURIComponent(secret)), `${name}, encoded`).toBe(false);
    }
    expect(text).not.toMatch(/kz[acr]_[0-9A-Za-z]{20}/);
    for (const leaked of ['only-the-platform-knows', 'the-state-of-the-platform', 'session_token=']) {
      expect(text).not.toContain(leaked);
    }
  };

  test('a server logs and prints no secret, not even with an error', () => {
    const log = written.lines.join('\n');
    for (const line of [
      'oauth.approved',
      'oauth.token_issued',
      'oauth.refused',
      'oauth.failed',
      'connection.started',
      'connection.ended',
      'api.answered',
      'api.failed',
      'limit.failed',
    ]) {
      expect(log, line).toContain(line);
    }
    expectNoSecret(log);
  });

  test.each([
    [
      'the other server',
      () => second.output(),
      ['oauth.token_issued', 'oauth.refused', 'oauth.failed', 'api.answered', 'api.failed'],
    ],
    ['the worker', () => worker.output(), ['delivery.attempted', 'notification.mailed']],
  ])('%s logs and prints no secret', (_which, outputOf, lines) => {
    for (const line of lines) expect(outputOf(), line).toContain(line);
    expectNoSecret(outputOf());
  });

  test('the start and end of a connection are log lines with its ids and the reason', () => {
    const lines = written.lines
      .flatMap((chunk) => chunk.split('\n'))
      .filter((line) => /"connection\.(started|ended)"/.test(line))
      .map((line) => JSON.parse(line));
    const ids = { connectionId: expect.any(String), workspaceId: expect.any(String) };
    expect(lines).toContainEqual(
      expect.objectContaining({ ...ids, userId: expect.any(String), msg: 'connection.started' }),
    );
    for (const reason of ['code_reused', 'revoked_by_platform']) {
      expect(lines).toContainEqual(expect.objectContaining({ ...ids, reason, msg: 'connection.ended' }));
    }
  });

  test('no mail or delivered event contains a secret', () => {
    expect(mail.received.length).toBeGreaterThan(0);
    expectNoSecret(mail.received.map(({ raw, email }) => `${raw} ${email.text}`).join('\n'));
    expectNoSecret(
      receiver.received.map(({ headers, body }) => `${JSON.stringify(headers)} ${body}`).join('\n'),
    );
  });
});
