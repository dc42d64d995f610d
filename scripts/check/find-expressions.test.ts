import { describe, expect, test } from 'vitest';
import { findExpressions, mayHoldExpression } from '#scripts/check/find-expressions.ts';

const A = '/(a+)+$/';

describe('a source may contain a regular expression', () => {
  test.each([
    ['on a separate line', `text.replace(\n  ${A},\n  '',\n);`],
    ['at the start', `${A}.test(text);`],
    ['as an argument', `text.match(${A})`],
    ['as a second argument', `split(text, ${A})`],
    ['as a constant', `const A = ${A};`],
    ['as a default', `(a =${A}) => a`],
    ['as what is returned', `return ${A}.exec(text);`],
    ['as what an arrow returns', `(text) => ${A}.test(text)`],
    ['as a property', `{ pattern: ${A} }`],
    ['in a list', `[${A}]`],
    ['in an attribute', `<input pattern={${A}} />`],
    ['in a template', `\`\${${A}.test(text)}\``],
    ['when it is denied', `!${A}.test(text)`],
    ['after a condition', `if (asked) ${A}.test(text);`],
    ['after a comment', `/* why */ ${A}.test(text)`],
    ['in a choice', `asked ? ${A} : other`],
    ['after two signs', `asked && ${A}.test(text)`],
    ['after a type', `const A: Pattern =\n  ${A};`],
    ['by its constructor', "new RegExp('(a+)+$')"],
    ['by its function', 'RegExp(pattern)'],
    ['no more, but is still allowed one', '// eslint-disable-next-line regexp/no-super-linear-move'],
  ])('%s', (_, source) => expect(mayHoldExpression(source)).toBe(true));
});

test('a source without one is skipped, whatever slashes it has', () => {
  const source = [
    "import { a } from '#server/a.ts';",
    "import { b } from '../b.ts';",
    '/** A comment, see https://example.test/. */',
    "const at = '/api/me'; // done",
    '<p>text</p>',
    '<br />',
  ];
  expect(mayHoldExpression(source.join('\n'))).toBe(false);
});

test('the scan finds the project’s expressions, and no test', async () => {
  const found = await findExpressions(['scripts']);
  expect(found).toContain('scripts/check/find-expressions.ts');
  expect(found.filter((file) => file.endsWith('.test.ts'))).toEqual([]);
  expect(found).not.toContain('scripts/tools/stop-request.ts');
});
