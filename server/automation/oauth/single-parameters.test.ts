import { describe, expect, test } from 'vitest';
import { singleParameters } from '#server/automation/oauth/single-parameters.ts';

const read = (text: string) => {
  const { values, repeated } = singleParameters(new URLSearchParams(text));
  return { values: Object.fromEntries(values), repeated: [...repeated] };
};

describe('RFC 6749 §3.1, §3.2: the parameters of a request', () => {
  test('are parsed without trimming', () => {
    expect(read('state=+a%20b%2Bc%0A&scope=x')).toEqual({
      values: { state: ' a b+c\n', scope: 'x' },
      repeated: [],
    });
  });

  test('empty equals absent', () => {
    expect(read('state=&scope&code=x')).toEqual({ values: { code: 'x' }, repeated: [] });
    expect(read('')).toEqual({ values: {}, repeated: [] });
  });

  test('sent more than once are reported, even if empty or equal', () => {
    expect(read('a=1&a=1&b=2').repeated).toEqual(['a']);
    expect(read('a=&a=1&b=2&b=').repeated).toEqual(['a', 'b']);
    expect(read('a=&a=&a=').repeated).toEqual(['a']);
    expect(read('%61=1&a=2').repeated).toEqual(['a']);
  });

  test('are case-sensitive, and JavaScript’s built-in names have no effect', () => {
    expect(read('code=1&Code=2').repeated).toEqual([]);
    expect(singleParameters(new URLSearchParams('__proto__=x&constructor=y')).values.get('__proto__')).toBe(
      'x',
    );
    expect(singleParameters(new URLSearchParams('')).values.get('constructor')).toBeUndefined();
  });
});
