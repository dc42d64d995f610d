import { expect, test } from 'vitest';
import { curlOf } from '#server/screens/docs/curl-of.ts';

const call = { method: 'GET', exampleTarget: '/me', exampleBody: null, exampleFile: null, needsToken: true };
const curl = (change: object) =>
  curlOf({ ...call, ...change } as Parameters<typeof curlOf>[0], 'https://a.test/v1');

test('a GET request has a URL and a token', () => {
  expect(curl({})).toBe(`curl 'https://a.test/v1/me' \\\n  -H "Authorization: Bearer $ACCESS_TOKEN"`);
});

test('a public endpoint has no token', () => {
  expect(curl({ needsToken: false })).toBe("curl 'https://a.test/v1/me'");
});

test('a POST request has a method and a shell-escaped body', () => {
  expect(curl({ method: 'POST', exampleBody: `{"content": "it's"}` })).toBe(
    [
      "curl -X POST 'https://a.test/v1/me'",
      '-H "Authorization: Bearer $ACCESS_TOKEN"',
      "-H 'Content-Type: application/json'",
      `-d '{"content": "it'\\''s"}'`,
    ].join(' \\\n  '),
  );
});

test('a form has a file of the current folder', () => {
  expect(curl({ method: 'POST', exampleFile: 'file=@invoice.pdf' })).toBe(
    [
      "curl -X POST 'https://a.test/v1/me'",
      '-H "Authorization: Bearer $ACCESS_TOKEN"',
      "-F 'file=@invoice.pdf'",
    ].join(' \\\n  '),
  );
});
