import { describe, expect } from 'vitest';
import { type ConsentResponse, REQUEST } from '#test/clients/consent-client.ts';
import { test } from '#test/fixtures/platform-test.ts';
import { PLATFORM } from '#test/fixtures/service.ts';

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
