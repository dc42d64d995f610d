import { Writable } from 'node:stream';
import type { LoggerOptions, pino as Pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { pool } from '#server/db.ts';
import { digest } from '#server/secrets.ts';
import { apiClient } from '#test/api-client.ts';
import { consentClient, formOf, REQUEST } from '#test/consent-client.ts';
import { addMember, makeUser, makeWorkspace, PASSWORD } from '#test/factories.ts';
import { PLATFORM, startTestService, type TestService } from '#test/service.ts';
import { signInAs } from '#test/sign-in.ts';
import { basic, tokenClient, tokensOf } from '#test/token-client.ts';

/** Whatever the process writes: its log, made with the log's own settings, and what libraries print. */
const written = vi.hoisted(() => ({ lines: [] as string[] }));
vi.mock('pino', async (importOriginal) => {
  const { default: pino } = await importOriginal<{ default: typeof Pino }>();
  const write = (chunk: unknown, _encoding: string, done: () => void) => {
    written.lines.push(String(chunk));
    done();
  };
  return { default: (options: LoggerOptions) => pino(options, new Writable({ write })) };
});

let service: TestService;
/** Every secret of the run by its name. */
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
  service = await startTestService({ LOG_LEVEL: 'trace' });
  await runThrough();
});

afterAll(async () => {
  await service.stop();
  vi.restoreAllMocks();
});

/** Sign-in, consent, both grants, API calls, refusals and faults: all that handles a secret. */
async function runThrough() {
  const platform = tokenClient(service.url);
  const workspace = await makeWorkspace();
  const owner = await makeUser();
  await addMember(workspace.id, owner.id, 'owner');
  const cookie = await signInAs(service.url, owner);
  secrets.session = decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0] ?? '';
  const browser = consentClient(service.url, cookie);

  const verifier = 'the-verifier-that-only-the-platform-knows-0123456789';
  const query = { ...REQUEST, state: 'the-state-of-the-platform', code_challenge: verifier };
  const form = formOf(await browser.open(query));
  const approved = await browser.post(form);
  const code = approved.location?.searchParams.get('code') ?? '';
  await browser.post(form);
  await platform.exchange(code, { code_verifier: verifier.toUpperCase() });
  const first = tokensOf(await platform.exchange(code, { code_verifier: verifier }));
  const { access_token, refresh_token } = tokensOf(await platform.refresh(first.refresh_token));
  Object.assign(secrets, { 'form secret': form.form, code, 'first access token': first.access_token });
  Object.assign(secrets, { 'access token': access_token, 'refresh token': refresh_token });

  const api = apiClient(service.url, access_token);
  const hook = { event: 'conversation.created', target_url: `https://${PLATFORM.hooksHost}/1` };
  const mail = { to_email: 'ada@example.test', subject: 'Hello', content: 'Hello' };
  const statuses = [
    await api('GET', '/me'),
    await api('POST', '/hooks', hook),
    await api('POST', '/conversations', mail),
  ];
  expect(statuses.map(({ status }) => status)).toEqual([200, 201, 201]);
  await api('POST', '/hooks', '{not json');
  await apiClient(service.url, first.access_token)('GET', '/me');
  await platform.post('/oauth/token', { token: access_token }, basic(undefined, `${PLATFORM.clientSecret}x`));
  for (const table of [
    'authorization_codes',
    'access_tokens',
    'refresh_tokens',
    'connections',
    'rate_limits',
  ]) {
    await pool().query(`alter table ${table} rename to away`);
    await platform.exchange(code, { code_verifier: verifier });
    await platform.refresh(refresh_token);
    await platform.revoke(access_token);
    await platform.post('/oauth/token', { grant_type: 'refresh_token', refresh_token }, basic());
    await api('GET', '/me');
    await pool().query(`alter table away rename to ${table}`);
  }
}

/** The tables in which a row, written out as text, matches a pattern. Bytes are written as hexadecimal digits. */
async function tablesWith(pattern: string): Promise<string[]> {
  const { rows } = await pool().query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await pool().query(`select from ${name} t where t::text ~ $1 limit 1`, [pattern]);
    if (Number(rowCount) > 0) found.push(name);
  }
  return found;
}

const hexOf = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('hex');

describe('RFC 6819 §5.1.4.1: the attacker who reads the database finds nothing to use', () => {
  test('codes, tokens and the secret of a consent form stand in no table, neither as text nor as bytes', async () => {
    const { session: _, ...others } = secrets;
    for (const [name, secret] of Object.entries(others)) {
      expect(secret.length, name).toBeGreaterThan(10);
      expect(await tablesWith(secret), name).toEqual([]);
      expect(await tablesWith(hexOf(secret)), name).toEqual([]);
      expect(await tablesWith(Buffer.from(secret).toString('base64').replace(/.=*$/, '')), name).toEqual([]);
    }
    expect(await tablesWith('kz[acr]_[0-9A-Za-z]{20}')).toEqual([]);
  });

  test('which this search would find: it finds their digests', async () => {
    const stored = {
      code: 'authorization_codes',
      'access token': 'access_tokens',
      'form secret': 'consent_forms',
    };
    for (const [name, table] of Object.entries(stored)) {
      expect(await tablesWith(hexOf(digest(secrets[name] ?? '')))).toEqual([`public.${table}`]);
    }
    expect(await tablesWith('Olivia Owen')).toContain('public.connections');
  });
});

describe('decisions, OAuth 11: the attacker who reads the log finds nothing to use', () => {
  test('no secret is ever logged or printed, not even with a fault', () => {
    const log = written.lines.join('\n');
    for (const event of ['oauth.failed', 'api.failed', 'limit.failed']) expect(log).toContain(event);
    for (const [name, secret] of Object.entries(secrets)) {
      expect(log.includes(secret), `${name} in the log`).toBe(false);
      expect(log.includes(hexOf(secret)), `${name} in the log, as bytes`).toBe(false);
    }
    expect(log).not.toMatch(/kz[acr]_[0-9A-Za-z]{20}/);
    for (const told of ['only-the-platform-knows', 'the-state-of-the-platform', 'session_token=']) {
      expect(log).not.toContain(told);
    }
  });
});
