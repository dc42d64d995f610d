import { expect, test } from 'vitest';
import { parseSetCookie } from '#app/lib/parse-set-cookie.ts';

test('parses the value and attributes of a session cookie', () => {
  const header = 'auth.session_token=abc.d%2Be%3D; Max-Age=604800; Path=/; HttpOnly; Secure; SameSite=Lax';
  expect(parseSetCookie(header)).toEqual({
    name: 'auth.session_token',
    value: 'abc.d+e=',
    maxAge: 604800,
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: 'lax',
  });
});

test('parses a deleted cookie with a max age of zero', () => {
  expect(parseSetCookie('theme=; Max-Age=0; Path=/')).toEqual({
    name: 'theme',
    value: '',
    maxAge: 0,
    path: '/',
  });
});

test('returns null for a header without a name', () => {
  expect(parseSetCookie('=value; Path=/')).toBeNull();
});
