import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { auth } from '#server/teammates/auth.ts';
import { newAddress, ORIGIN, PASSWORD, trySignIn } from '#test/clients/sign-in.ts';
import { makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

describe('signing in with email and password', () => {
  test('opens a session that stores the IP address and the browser', async ({ service }) => {
    const teammate = await makeUser();
    const from = { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'A browser' };
    const { status, cookie } = await trySignIn(
      service.url,
      { email: teammate.email, password: PASSWORD },
      from,
    );
    expect(status).toBe(200);
    expect((await session(service.url, cookie))?.user.id).toBe(teammate.id);
    const sessions = await db().session.findMany({ where: { userId: teammate.id } });
    expect(sessions).toMatchObject([{ ipAddress: '203.0.113.7', userAgent: 'A browser' }]);
  });

  test('ignores the case of the email and respects that of the password', async ({ service }) => {
    const { email } = await makeUser();
    const signIn = (password: string) => trySignIn(service.url, { email: email.toUpperCase(), password });
    expect((await signIn(PASSWORD)).status).toBe(200);
    for (const wrong of [PASSWORD.toUpperCase(), ` ${PASSWORD}`, PASSWORD.slice(1), '']) {
      const { status, cookie } = await signIn(wrong);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(cookie).toBe('');
    }
  });

  test('sets a cookie that scripts cannot read and other sites cannot send', async ({ service }) => {
    const { email } = await makeUser();
    const { headers } = await trySignIn(service.url, { email, password: PASSWORD });
    const cookies = headers.getSetCookie().filter((line) => line.startsWith('inbox.session_token='));
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatch(/; HttpOnly(;|$)/);
    expect(cookies[0]).toMatch(/; SameSite=Lax(;|$)/);
    expect(cookies[0]).toMatch(/; Path=\/(;|$)/);
    expect(cookies[0]).not.toMatch(/; Domain=/i);
  });
});

describe('the attacker at the sign-in API', () => {
  test('cannot find out whether an account exists', async ({ service }) => {
    const { email } = await makeUser();
    const known = await trySignIn(service.url, { email, password: 'a guess' });
    const unknown = await trySignIn(service.url, { email: 'nobody@acme.test', password: 'a guess' });
    expect(known.status).toBe(401);
    expect([unknown.status, unknown.body, unknown.cookie]).toEqual([known.status, known.body, '']);
    const names = (headers: Headers) => [...headers.keys()];
    expect(names(unknown.headers)).toEqual(names(known.headers));
  });

  test('cannot create an account', async ({ service }) => {
    const before = await db().user.count();
    const newcomer = { email: 'mallory@attacker.test', password: PASSWORD, name: 'Mallory' };
    const { status, headers } = await post(service.url, '/sign-up/email', newcomer);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(headers.getSetCookie()).toEqual([]);
    expect(await db().user.count()).toBe(before);
  });

  test.for([
    'https://attacker.test',
    'http://inbox.test.attacker.test',
    'http://attacker.test/http://inbox.test',
    'https://inbox.test',
    'http://inbox.test:8080',
    'null',
  ])('cannot sign a browser in from %s', async (origin, { service }) => {
    const { email } = await makeUser();
    const response = await trySignIn(service.url, { email, password: PASSWORD }, { origin });
    expect(response.status).toBe(403);
    expect(response.cookie).toBe('');
    expect(await db().session.count({ where: { user: { email } } })).toBe(0);
  });

  test('cannot sign a teammate out from another site', async ({ service }) => {
    const { email } = await makeUser();
    const { cookie } = await trySignIn(service.url, { email, password: PASSWORD });
    expect(
      (await post(service.url, '/sign-out', {}, { cookie, origin: 'https://attacker.test' })).status,
    ).toBe(403);
    expect(await session(service.url, cookie)).not.toBeNull();
    expect((await post(service.url, '/sign-out', {}, { cookie })).status).toBe(200);
    expect(await session(service.url, cookie)).toBeNull();
  });

  test('finds no endpoint that changes a session or user', async ({ service }) => {
    const teammate = await makeUser();
    const { cookie } = await trySignIn(service.url, { email: teammate.email, password: PASSWORD });
    const strangers = await makeWorkspace();
    const changes: [string, Record<string, unknown>][] = [
      ['/update-session', { workspaceId: strangers.id }],
      ['/update-session', { userId: '01890000-0000-7000-8000-000000000000' }],
      ['/update-user', { email: 'owner@demo.test' }],
      ['/update-user', { lastWorkspaceId: strangers.id }],
      ['/change-email', { newEmail: 'owner@demo.test' }],
    ];
    const before = await db().user.findUniqueOrThrow({ where: { id: teammate.id } });
    for (const [path, body] of changes)
      expect((await post(service.url, path, body, { cookie })).status).toBe(404);
    expect(await db().user.findUniqueOrThrow({ where: { id: teammate.id } })).toEqual(before);
    expect(await session(service.url, cookie)).toMatchObject({ user: { id: teammate.id } });
  });

  test('finds only the three intended endpoints of the library', async ({ service }) => {
    const { email } = await makeUser();
    const { cookie } = await trySignIn(service.url, { email, password: PASSWORD });
    const library = Object.values(auth().api).flatMap((endpoint) =>
      'path' in endpoint && endpoint.path ? [endpoint.path] : [],
    );
    expect(library).toContain('/list-sessions');
    const open: string[] = [];
    for (const path of [
      ...new Set(library),
      '/ok',
      '/error',
      '/reference',
      '/sign-in/email/',
      '//get-session',
    ]) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const headers = { cookie, origin: ORIGIN, 'x-forwarded-for': newAddress() };
        const { status } = await fetch(`${service.url}/api/auth${path}`, { method, headers });
        if (status !== 404 && status !== 405) open.push(`${method} ${path}`);
      }
    }
    expect(open.sort()).toEqual(['GET /get-session', 'POST /sign-in/email', 'POST /sign-out']);
  });

  test('gets 4xx and never 5xx for malformed credentials', async ({ service }) => {
    const oddities = [
      {},
      null,
      [],
      { email: {}, password: [] },
      { email: 'a@b.test' },
      { email: '\0', password: '\0' },
    ];
    for (const odd of oddities) {
      const { status, cookie } = await trySignIn(service.url, odd, { 'x-forwarded-for': newAddress() });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(cookie).toBe('');
    }
  });
});

/** Posts to a path of the sign-in API. */
async function post(url: string, path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: ORIGIN, ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function session(url: string, cookie: string): Promise<{ user: { id: string } } | null> {
  const response = await fetch(`${url}/api/auth/get-session`, { headers: { cookie } });
  return response.json() as Promise<{ user: { id: string } } | null>;
}
