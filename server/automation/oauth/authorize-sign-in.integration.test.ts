import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { consentClient, formOf, REQUEST } from '#test/clients/consent-client.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/platform-test.ts';

describe('a user who is not signed in is redirected to sign-in', () => {
  test('and returns to the same request', async ({ visitor }) => {
    const response = await visitor.open(query);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(/^\/sign-in\?next=/);
    const next = new URL(response.location?.searchParams.get('next') ?? '', 'http://inbox.test');
    expect(next.pathname).toBe('/oauth/authorize');
    expect(Object.fromEntries(next.searchParams)).toEqual(query);
  });

  test('and the return address has only the parameters of the request', async ({ visitor }) => {
    const response = await visitor.open({
      ...query,
      scope: 'all',
      next: 'https://attacker.test',
    });
    const next = response.location?.searchParams.getAll('next') ?? [];
    expect(next).toHaveLength(1);
    expect(Object.fromEntries(new URL(next[0] ?? '', 'http://inbox.test').searchParams)).toEqual(query);
  });

  test.for([
    ['a made-up cookie', () => 'inbox.session_token=made-up.made-up'],
    [
      'a session token without its signature',
      (cookie: string) => cookie.replace(/(session_token=[^.;]*)\.[^;]*/, '$1'),
    ],
    ['a signature of another token', (cookie: string) => cookie.replace('session_token=', 'session_token=x')],
  ] as const)('even with %s', async ([_what, forge], { service, cookie }) => {
    const response = await consentClient(service.url, forge(cookie)).open(query);
    expect(response.location?.pathname).toBe('/sign-in');
  });

  test('even when the session has expired or was deleted', async ({ browserOf }) => {
    const teammate = await makeUser();
    const browser = await browserOf(teammate);
    expect((await browser.open(query)).status).toBe(200);
    await db().session.updateMany({ where: { userId: teammate.id }, data: { expiresAt: new Date(0) } });
    expect((await browser.open(query)).location?.pathname).toBe('/sign-in');

    const other = await browserOf(teammate);
    expect((await other.open(query)).status).toBe(200);
    await db().session.deleteMany({ where: { userId: teammate.id } });
    expect((await other.open(query)).location?.pathname).toBe('/sign-in');
  });
});

describe('“Use another account” on the consent page', () => {
  const awkward = {
    ...REQUEST,
    state: 'a b&c=d+é"\r\n',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  };

  test('ends this session only, and sign-in returns to the same request', async ({
    browserOf,
    owner: { workspaceId },
  }) => {
    const teammate = await makeUser('Ada', { workspaceId, role: 'agent' });
    const [browser, other] = [await browserOf(teammate), await browserOf(teammate)];
    const left = await browser.post(formOf(await browser.open(awkward), 'switch_account'));
    expect(left.status).toBe(303);
    expect(left.location?.pathname).toBe('/sign-in');
    const next = new URL(left.location?.searchParams.get('next') ?? '', 'http://inbox.test');
    expect(next.pathname).toBe('/oauth/authorize');
    expect(Object.fromEntries(next.searchParams)).toEqual(awkward);
    expect(left.headers.getSetCookie().join()).toMatch(/session_token=;.*Max-Age=0/);
    expect((await browser.open(awkward)).location?.pathname).toBe('/sign-in');
    expect((await other.open(awkward)).status).toBe(200);
  });

  test('cannot be posted by another site, without the secret of the page, or twice', async ({ browser }) => {
    const fields = formOf(await browser.open(query), 'switch_account');
    const refused = [
      await browser.post(fields, { 'sec-fetch-site': 'cross-site' }),
      await browser.post({ ...fields, form: 'A'.repeat(43) }),
      await browser.post({ ...fields, state: 'attackers' }),
    ];
    expect(refused.map(({ status, page }) => [status, page?.kind])).toEqual(
      refused.map(() => [403, 'stale_form']),
    );
    expect((await browser.post(fields)).location?.pathname).toBe('/sign-in');
    expect((await browser.post(fields)).page?.kind).toBe('stale_form');
  });

  test('never leads to another address than the request that was shown', async ({ browser }) => {
    const fields = formOf(await browser.open(query), 'switch_account');
    const left = await browser.post({ ...fields, next: 'https://attacker.test', scope: 'all' });
    expect(left.location?.searchParams.getAll('next')).toEqual([
      `/oauth/authorize?${new URLSearchParams(query)}`,
    ]);
  });
});

describe('headers of the authorize address', () => {
  test('RFC 6749 §10.13: an attacker cannot frame the page, get it cached or leak its address', async ({
    browser,
  }) => {
    const { status, headers } = await browser.open(query);
    expect(status).toBe(200);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(directives(headers)).toMatchObject({
      'default-src': "'none'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
      'form-action': "'self' https://platform.test",
    });
  });

  test('scripts and styles run only with a nonce that is new each time', async ({ browser }) => {
    const policies = [await browser.open(query), await browser.open(query)].map(({ headers }) =>
      directives(headers),
    );
    const nonces = policies.map((policy) => /'nonce-([^']{22,})'/.exec(policy['script-src'] ?? '')?.[1]);
    expect(nonces.every(Boolean)).toBe(true);
    expect(nonces[0]).not.toBe(nonces[1]);
    for (const policy of policies) expect(JSON.stringify(policy)).not.toMatch(/unsafe/);
  });

  test('the error page has the same protection', async ({ visitor }) => {
    const { headers } = await visitor.open({ ...REQUEST, client_id: 'x' });
    expect(directives(headers)['frame-ancestors']).toBe("'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('a redirect with a code is neither cached nor sent to the platform as a referrer', async ({
    browser,
  }) => {
    const { status, headers } = await browser.post(formOf(await browser.open(query)));
    expect(status).toBe(303);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('every response has a different request id', async ({ browser }) => {
    const responses = [await browser.open(query), await browser.open({}), await browser.post({})];
    const ids = new Set(responses.map(({ headers }) => headers.get('x-request-id')));
    expect(ids.size).toBe(3);
    expect(ids).not.toContain(null);
  });

  test('other methods return 405 with the allowed methods', async ({ service }) => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await fetch(`${service.url}/oauth/authorize`, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
    }
  });
});

function directives(headers: Headers): Record<string, string> {
  const policy = headers.get('content-security-policy') ?? '';
  return Object.fromEntries(
    policy.split(';').map((directive) => {
      const [name = '', ...values] = directive.trim().split(' ');
      return [name, values.join(' ')];
    }),
  );
}

const query = {
  ...REQUEST,
  state: 'a+b c&d=é🚀',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};
