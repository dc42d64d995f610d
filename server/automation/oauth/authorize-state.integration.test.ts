import { describe, expect } from 'vitest';
import { formOf, REQUEST } from '#test/clients/consent-client.ts';
import { test } from '#test/fixtures/platform-test.ts';
import { PLATFORM } from '#test/fixtures/service.ts';

const STATES = [
  'plain',
  ' spaces  within and around ',
  'a+b%20c%2Bd%',
  '&code=kzc_forged&error=none#fragment',
  '?a=b;c=d',
  '"quotes" <tags> \\ \'',
  'ümläut 漢字 👩‍👩‍👧 🚀',
  'a\u0000b\u001f\u007f',
  'null',
  `${'👍'.repeat(499)} `,
  '+'.repeat(500),
];

describe('RFC 6749 §4.1.2, §10.12: the platform gets its state back unchanged', () => {
  test.for(STATES)('with the code: %j', async (state, { browser }) => {
    const response = await browser.post(formOf(await browser.open({ ...REQUEST, state })));
    expect(response.status).toBe(303);
    expect(`${response.location?.origin}${response.location?.pathname}`).toBe(PLATFORM.returnUrl);
    const returned = [...(response.location?.searchParams ?? [])];
    expect(returned).toEqual([
      ['code', expect.stringMatching(/^kzc_[0-9A-Za-z]{43}$/)],
      ['state', state],
    ]);
  });

  test.for(STATES)('when the teammate cancels: %j', async (state, { browser }) => {
    const response = await browser.post(formOf(await browser.open({ ...REQUEST, state }), 'cancel'));
    expect(response.status).toBe(303);
    expect([...(response.location?.searchParams ?? [])]).toEqual([
      ['error', 'access_denied'],
      ['state', state],
    ]);
  });

  test.for(STATES)('with an error of the request: %j', async (state, { browser }) => {
    const response = await browser.open({ ...REQUEST, response_type: 'token', state });
    expect([...(response.location?.searchParams ?? [])]).toEqual([
      ['error', 'unsupported_response_type'],
      ['state', state],
    ]);
  });

  test('a request without state gets no state back', async ({ browser }) => {
    const response = await browser.post(formOf(await browser.open()));
    expect([...(response.location?.searchParams.keys() ?? [])]).toEqual(['code']);
  });
});

describe('docs/spec.md §8: a state has at most 500 characters', () => {
  test.for([
    ['letters', 'a'],
    ['emoji of two code units each', '🚀'],
  ] as const)('501 %s are refused, and not sent back', async ([_what, character], { browser }) => {
    const response = await browser.open({ ...REQUEST, state: character.repeat(501) });
    expect(response.status).toBe(303);
    expect([...(response.location?.searchParams ?? [])]).toEqual([['error', 'invalid_request']]);
  });

  test('500 emoji survive the redirect to sign-in', async ({ service, visitor, browser }) => {
    const query = { ...REQUEST, state: '🚀'.repeat(500) };
    const toSignIn = await visitor.open(query);
    const next = toSignIn.location?.searchParams.get('next') ?? '';
    const signInPage = await fetch(
      `${service.url}${toSignIn.location?.pathname}${toSignIn.location?.search}`,
    );
    expect(signInPage.status).toBe(200);
    const response = await browser.open(next.slice(next.indexOf('?') + 1));
    const approved = await browser.post(formOf(response));
    expect(approved.location?.searchParams.get('state')).toBe(query.state);
  });
});
