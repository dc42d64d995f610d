import { expect, test } from 'vitest';
import { parseSetCookie } from '#app/lib/parse-set-cookie.ts';

test('a session cookie keeps its value and its protection', () => {
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

test('a cookie taken back has an age of zero', () => {
  expect(parseSetCookie('theme=; Max-Age=0; Path=/')).toEqual({
    name: 'theme',
    value: '',
    maxAge: 0,
    path: '/',
  });
});

test('a header without a name is no cookie', () => {
  expect(parseSetCookie('=value; Path=/')).toBeNull();
});
