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

describe('docs/spec.md §4.1: errors of a request are returned to the platform before sign-in', () => {
  test.for(['token', 'CODE', 'code token', 'code '])(
    'response_type "%s" is not supported',
    async (type, { visitor }) => {
      expectReturned(await visitor.open({ ...REQUEST, response_type: type, state: 's' }), {
        error: 'unsupported_response_type',
        state: 's',
      });
    },
  );

  test('an empty or missing response_type is not supported', async ({ visitor }) => {
    const { response_type: _, ...rest } = REQUEST;
    expectReturned(await visitor.open(rest), { error: 'unsupported_response_type' });
    expectReturned(await visitor.open({ ...rest, response_type: '' }), {
      error: 'unsupported_response_type',
    });
  });

  test.for([42, 129])('a code_challenge of %i characters is refused', async (length, { visitor }) => {
    expectReturned(await visitor.open({ ...REQUEST, code_challenge: challenge(length), state: 's' }), {
      error: 'invalid_request',
      state: 's',
    });
  });

  test.for([43, 128])('a code_challenge of %i characters is accepted', async (length, { visitor }) => {
    expectSignIn(await visitor.open({ ...REQUEST, code_challenge: challenge(length) }));
  });

  test.for(['+', '/', '=', ' ', 'é', '%', '\n', '\0'])(
    'a code_challenge with the character %j is refused',
    async (character, { visitor }) => {
      const malformed = [challenge(43) + character, character + challenge(43)];
      for (const code_challenge of malformed) {
        expectReturned(await visitor.open({ ...REQUEST, code_challenge }), { error: 'invalid_request' });
      }
    },
  );

  test.for(['s256', 'PLAIN', 'S512', 'none'])(
    'code_challenge_method "%s" is refused',
    async (method, { visitor }) => {
      const query = { ...REQUEST, code_challenge_method: method, state: 's' };
      expectReturned(await visitor.open({ ...query, code_challenge: challenge(43) }), {
        error: 'invalid_request',
        state: 's',
      });
      expectReturned(await visitor.open(query), { error: 'invalid_request', state: 's' });
    },
  );

  test('a known method is accepted with a challenge, and ignored without one', async ({ visitor }) => {
    for (const code_challenge_method of ['S256', 'plain', '']) {
      expectSignIn(await visitor.open({ ...REQUEST, code_challenge_method, code_challenge: challenge(43) }));
      expectSignIn(await visitor.open({ ...REQUEST, code_challenge_method }));
    }
  });

  test('empty equals absent: an empty state is not returned, and an empty challenge is ignored', async ({
    visitor,
  }) => {
    expectReturned(await visitor.open({ ...REQUEST, response_type: 'token', state: '' }), {
      error: 'unsupported_response_type',
    });
    expectSignIn(await visitor.open({ ...REQUEST, code_challenge: '', state: '' }));
  });

  test('scope is ignored', async ({ visitor }) => {
    for (const scope of ['', 'automation', 'admin everything'])
      expectSignIn(await visitor.open({ ...REQUEST, scope }));
  });
});

describe('RFC 6749 §3.1: a parameter may be sent once', () => {
  test.for(['response_type', 'code_challenge', 'code_challenge_method', 'scope'])(
    '%s sent twice is an invalid request',
    async (name, { visitor }) => {
      const sent: [string, string][] = Object.entries({ ...REQUEST, state: 's' });
      const values: Record<string, string> = { response_type: 'code', code_challenge_method: 'S256' };
      const value = values[name] ?? challenge(43);
      const twice = [...sent.filter(([sentName]) => sentName !== name), [name, value], [name, value]];
      expectReturned(await visitor.open(twice as [string, string][]), {
        error: 'invalid_request',
        state: 's',
      });
    },
  );

  test('state sent twice is an invalid request, and neither value is returned', async ({ visitor }) => {
    const once: [string, string][] = Object.entries({ ...REQUEST, state: 'mine' });
    for (const second of ['mine', 'other', '']) {
      expectReturned(await visitor.open([...once, ['state', second]]), { error: 'invalid_request' });
    }
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

function expectReturned(response: ConsentResponse, parameters: Record<string, string>) {
  expect(response.status).toBe(303);
  expect(`${response.location?.origin}${response.location?.pathname}`).toBe(PLATFORM.returnUrl);
  expect([...(response.location?.searchParams ?? [])]).toEqual(Object.entries(parameters));
  expect(response.page).toBeNull();
}

/** Expects a redirect to sign-in, as for a valid request. */
function expectSignIn(response: ConsentResponse) {
  expect(response.status).toBe(303);
  expect(response.location?.pathname).toBe('/sign-in');
}

const challenge = (length: number) => 'aZ09-._~'.repeat(17).slice(0, length);
