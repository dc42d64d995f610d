import { describe, expect, test } from 'vitest';
import { parseAuthorizeRequest } from '#server/automation/oauth/authorize-request.ts';
import { PLATFORM, setTestSettings } from '#test/servers/settings.ts';

setTestSettings();

const REQUEST = { response_type: 'code', client_id: PLATFORM.clientId, redirect_uri: PLATFORM.returnUrl };
const CHALLENGE = 'c'.repeat(43);
const parse = (changes: Record<string, string> = {}, twice: [string, string][] = []) =>
  parseAuthorizeRequest(new URLSearchParams([...Object.entries({ ...REQUEST, ...changes }), ...twice]));
const refused = (error: string, state?: string) => ({ kind: 'refused', error, state });

describe('docs/spec.md §4.1: validating an authorize request', () => {
  test('a valid request is parsed', () => {
    expect(parse()).toEqual({ kind: 'valid', request: { state: undefined, challenge: undefined } });
    expect(parse({ state: ' s ', code_challenge: CHALLENGE, code_challenge_method: 'S256' })).toEqual({
      kind: 'valid',
      request: { state: ' s ', challenge: { value: CHALLENGE, method: 'S256' } },
    });
  });

  test('RFC 7636 §4.3: a challenge without a method is plain; a method without a challenge is ignored', () => {
    expect(parse({ code_challenge: CHALLENGE })).toMatchObject({
      request: { challenge: { method: 'plain' } },
    });
    expect(parse({ code_challenge_method: 'S256' })).toMatchObject({ request: { challenge: undefined } });
  });

  test('the client is checked before the rest of the request', () => {
    const wrong = { response_type: 'token', code_challenge: 'x', state: 's'.repeat(501) };
    expect(parse({ ...wrong, client_id: 'other' })).toEqual({ kind: 'unknown_client' });
    expect(parse({ ...wrong, redirect_uri: `${PLATFORM.returnUrl}x` })).toEqual({ kind: 'unknown_client' });
    expect(parse({}, [['client_id', PLATFORM.clientId]])).toEqual({ kind: 'unknown_client' });
    expect(parse({}, [['redirect_uri', PLATFORM.returnUrl]])).toEqual({ kind: 'unknown_client' });
  });

  test('state is returned unless it is invalid itself', () => {
    expect(parse({ state: 's', response_type: '' })).toEqual(refused('unsupported_response_type', 's'));
    expect(parse({ state: 's', code_challenge: 'x' })).toEqual(refused('invalid_request', 's'));
    expect(parse({ state: 's', code_challenge_method: 's256' })).toEqual(refused('invalid_request', 's'));
    expect(
      parse({ state: 's' }, [
        ['scope', 'a'],
        ['scope', 'b'],
      ]),
    ).toEqual(refused('invalid_request', 's'));
    expect(parse({ state: 's' }, [['state', 's']])).toEqual(refused('invalid_request'));
    expect(parse({ state: 's'.repeat(501) })).toEqual(refused('invalid_request'));
  });

  test('a state is counted in code points: 500 emoji are 500', () => {
    expect(parse({ state: '🚀'.repeat(500) })).toMatchObject({ kind: 'valid' });
    expect(parse({ state: `${'🚀'.repeat(500)}x` })).toEqual(refused('invalid_request'));
  });
});
