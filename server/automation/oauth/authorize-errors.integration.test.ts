import { describe, expect, test } from 'vitest';
import { type ConsentResponse, consentClient, REQUEST } from '#test/clients/consent-client.ts';
import { PLATFORM, withTestService } from '#test/fixtures/service.ts';

const service = withTestService();

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

const open = (query: Record<string, string> | [string, string][]) => consentClient(service.url).open(query);
const challenge = (length: number) => 'aZ09-._~'.repeat(17).slice(0, length);

describe('docs/spec.md §4.1: errors of a request are returned to the platform before sign-in', () => {
  test.each(['token', 'CODE', 'code token', 'code '])('response_type "%s" is not supported', async (type) => {
    expectReturned(await open({ ...REQUEST, response_type: type, state: 's' }), {
      error: 'unsupported_response_type',
      state: 's',
    });
  });

  test('an empty or missing response_type is not supported', async () => {
    const { response_type: _, ...rest } = REQUEST;
    expectReturned(await open(rest), { error: 'unsupported_response_type' });
    expectReturned(await open({ ...rest, response_type: '' }), { error: 'unsupported_response_type' });
  });

  test.each([42, 129])('a code_challenge of %i characters is refused', async (length) => {
    expectReturned(await open({ ...REQUEST, code_challenge: challenge(length), state: 's' }), {
      error: 'invalid_request',
      state: 's',
    });
  });

  test.each([43, 128])('a code_challenge of %i characters is accepted', async (length) => {
    expectSignIn(await open({ ...REQUEST, code_challenge: challenge(length) }));
  });

  test.each(['+', '/', '=', ' ', 'é', '%', '\n', '\0'])(
    'a code_challenge with the character %j is refused',
    async (character) => {
      const malformed = [challenge(43) + character, character + challenge(43)];
      for (const code_challenge of malformed) {
        expectReturned(await open({ ...REQUEST, code_challenge }), { error: 'invalid_request' });
      }
    },
  );

  test.each(['s256', 'PLAIN', 'S512', 'none'])('code_challenge_method "%s" is refused', async (method) => {
    const query = { ...REQUEST, code_challenge_method: method, state: 's' };
    expectReturned(await open({ ...query, code_challenge: challenge(43) }), {
      error: 'invalid_request',
      state: 's',
    });
    expectReturned(await open(query), { error: 'invalid_request', state: 's' });
  });

  test('a known method is accepted with a challenge, and ignored without one', async () => {
    for (const code_challenge_method of ['S256', 'plain', '']) {
      expectSignIn(await open({ ...REQUEST, code_challenge_method, code_challenge: challenge(43) }));
      expectSignIn(await open({ ...REQUEST, code_challenge_method }));
    }
  });

  test('empty equals absent: an empty state is not returned, and an empty challenge is ignored', async () => {
    expectReturned(await open({ ...REQUEST, response_type: 'token', state: '' }), {
      error: 'unsupported_response_type',
    });
    expectSignIn(await open({ ...REQUEST, code_challenge: '', state: '' }));
  });

  test('scope is ignored', async () => {
    for (const scope of ['', 'automation', 'admin everything'])
      expectSignIn(await open({ ...REQUEST, scope }));
  });
});

describe('RFC 6749 §3.1: a parameter may be sent once', () => {
  test.each(['response_type', 'code_challenge', 'code_challenge_method', 'scope'])(
    '%s sent twice is an invalid request',
    async (name) => {
      const sent: [string, string][] = Object.entries({ ...REQUEST, state: 's' });
      const values: Record<string, string> = { response_type: 'code', code_challenge_method: 'S256' };
      const value = values[name] ?? challenge(43);
      const twice = [...sent.filter(([sentName]) => sentName !== name), [name, value], [name, value]];
      expectReturned(await open(twice as [string, string][]), { error: 'invalid_request', state: 's' });
    },
  );

  test('state sent twice is an invalid request, and neither value is returned', async () => {
    const once: [string, string][] = Object.entries({ ...REQUEST, state: 'mine' });
    for (const second of ['mine', 'other', '']) {
      expectReturned(await open([...once, ['state', second]]), { error: 'invalid_request' });
    }
  });
});
