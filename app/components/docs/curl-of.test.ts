import { expect, test } from 'vitest';
import { curlOf } from '#app/components/docs/curl-of.ts';

const call = { method: 'GET', exampleTarget: '/me', exampleBody: null, needsToken: true };
const curl = (change: object) =>
  curlOf({ ...call, ...change } as Parameters<typeof curlOf>[0], 'https://a.test/v1');

test('a call to read names its address and the token', () => {
  expect(curl({})).toBe(`curl 'https://a.test/v1/me' \\\n  -H "Authorization: Bearer $ACCESS_TOKEN"`);
});

test('one that needs no token has none', () => {
  expect(curl({ needsToken: false })).toBe("curl 'https://a.test/v1/me'");
});

test('one that sends something names its method and body, whose quotes the shell leaves alone', () => {
  expect(curl({ method: 'POST', exampleBody: `{"content": "it's"}` })).toBe(
    [
      "curl -X POST 'https://a.test/v1/me'",
      '-H "Authorization: Bearer $ACCESS_TOKEN"',
      "-H 'Content-Type: application/json'",
      `-d '{"content": "it'\\''s"}'`,
    ].join(' \\\n  '),
  );
});
