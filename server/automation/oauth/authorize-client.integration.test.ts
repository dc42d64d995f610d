import { describe, expect } from 'vitest';
import { type ConsentResponse, REQUEST } from '#test/clients/consent-client.ts';
import { test } from '#test/fixtures/platform-test.ts';
import { PLATFORM } from '#test/fixtures/service.ts';

const { returnUrl } = PLATFORM;

describe('RFC 6749 §4.1.2.1, RFC 9700 §4.1: the browser is never redirected to an address other than the platform’s', () => {
  test.for([
    ['unknown', 'somebody-else'],
    ['in another case', PLATFORM.clientId.toUpperCase()],
    ['with a trailing space', `${PLATFORM.clientId}%20`],
    ['with a trailing zero byte', `${PLATFORM.clientId}%00`],
    ['empty', ''],
  ] as const)('a client id that is %s gets the error page', async ([_what, text], { visitor }) => {
    expectNoRedirect(await visitor.open(withText('client_id', text)));
  });

  test.for([
    ['another host', 'https://attacker.test/dashboard/auth/oauth/return/App1/'],
    [
      'a host with the platform’s as prefix',
      returnUrl.replace('platform.test', 'platform.test.attacker.test'),
    ],
    ['a subdomain of the platform’s', returnUrl.replace('platform.test', 'x.platform.test')],
    ['the platform as user name', returnUrl.replace('platform.test', 'platform.test@attacker.test')],
    ['a host in capitals', returnUrl.replace('platform.test', 'PLATFORM.test')],
    ['a path in another case', returnUrl.replace('App1', 'app1')],
    ['no trailing slash', returnUrl.slice(0, -1)],
    ['an additional slash', `${returnUrl}/`],
    ['a path that leads back to it', returnUrl.replace('/return/', '/return/x/../')],
    ['an explicit default port', returnUrl.replace('platform.test', 'platform.test:443')],
    ['another port', returnUrl.replace('platform.test', 'platform.test:8443')],
    ['a query', `${returnUrl}?next=https://attacker.test`],
    ['an empty query', `${returnUrl}?`],
    ['a fragment', `${returnUrl}#`],
    ['http', returnUrl.replace('https', 'http')],
    ['a leading space', ` ${returnUrl}`],
    ['a trailing line break', `${returnUrl}\n`],
    ['double encoding', encodeURIComponent(returnUrl)],
    ['an encoded letter inside', returnUrl.replace('App1', '%41pp1')],
    ['no host', '/dashboard/auth/oauth/return/App1/'],
    ['a script', 'javascript:alert(1)'],
    ['nothing', ''],
    ['501 characters', `${returnUrl}${'a'.repeat(501 - returnUrl.length)}`],
  ] as const)('a redirect address with %s gets the error page', async ([_what, address], { visitor }) => {
    const response = await visitor.open(withText('redirect_uri', encodeURIComponent(address)));
    expectNoRedirect(response);
  });

  test.for(['client_id', 'redirect_uri'])(
    'a request without %s gets the error page',
    async (name, { visitor }) => {
      const query = new URLSearchParams(known);
      query.delete(name);
      expectNoRedirect(await visitor.open(query.toString()));
    },
  );

  test.for(['client_id', 'redirect_uri'] as const)(
    '%s sent twice gets the error page',
    async (name, { visitor }) => {
      const same = REQUEST[name];
      expectNoRedirect(await visitor.open([...known, [name, same]]));
      expectNoRedirect(await visitor.open([...known, [name, 'https://attacker.test/']]));
      expectNoRedirect(await visitor.open([[name, ''], ...known]));
    },
  );

  test('an attacker’s redirect address gets the error page, even if the rest of the request is invalid too', async ({
    visitor,
  }) => {
    const query = { ...REQUEST, redirect_uri: 'https://attacker.test/', response_type: 'token', state: 'x' };
    expectNoRedirect(await visitor.open({ ...query, code_challenge: 'short' }));
  });

  test('an attacker cannot have a decision sent elsewhere', async ({ visitor }) => {
    const redirected = { ...REQUEST, redirect_uri: 'https://attacker.test/' };
    expectNoRedirect(await visitor.post({ ...redirected, decision: 'cancel' }));
    expectNoRedirect(await visitor.post({ ...redirected, decision: 'approve' }));
    expectNoRedirect(await visitor.post({ ...REQUEST, client_id: 'somebody-else', decision: 'cancel' }));
    expectNoRedirect(await visitor.post({ decision: 'cancel' }));
  });

  test('the error page shows no text from the request', async ({ visitor }) => {
    const response = await visitor.open({ ...REQUEST, client_id: '<b>marker</b>' });
    expect(JSON.stringify(response.page)).not.toContain('marker');
    expect(response.page).toEqual({
      kind: 'unknown_client',
      platformName: 'Workflow Platform',
      serviceName: 'Shared Inbox',
    });
  });
});

function expectNoRedirect(response: ConsentResponse) {
  expect(response.status).toBe(400);
  expect(response.page?.kind).toBe('unknown_client');
  expect(response.location).toBeNull();
  expect(response.headers.has('refresh')).toBe(false);
}

const known = new URLSearchParams(REQUEST);

function withText(name: 'client_id' | 'redirect_uri', text: string): string {
  const others = new URLSearchParams(known);
  others.delete(name);
  return `${others}&${name}=${text}`;
}
