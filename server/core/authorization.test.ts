import { describe, expect, test } from 'vitest';
import { isToken68, parseAuthorization } from '#server/core/authorization-header.ts';

describe('RFC 9110 §11.4: an Authorization header', () => {
  test.each([
    ['Basic eA==', 'basic', 'eA=='],
    ['BEARER   abc  ', 'bearer', 'abc'],
    ['Basic', 'basic', ''],
    ['Digest username="x", uri="/"', 'digest', 'username="x", uri="/"'],
  ])('%j is parsed', (header, scheme, credentials) => {
    expect(parseAuthorization(header)).toEqual({ scheme, credentials });
  });

  test.each([undefined, '', '   ', 'a:b', 'sch@me x', `Basic ${'e'.repeat(9_000)}`])(
    '%j has none',
    (header) => {
      expect(parseAuthorization(header)).toBeUndefined();
    },
  );
});

test('a token68 consists of letters, digits and some symbols, with padding only at the end', () => {
  for (const good of ['eA==', 'kza_09azAZ', 'a-._~+/', 'a=']) expect(isToken68(good)).toBe(true);
  for (const bad of ['', '=', 'a=b', 'a b', 'ä', 'a"', '*']) expect(isToken68(bad)).toBe(false);
});
