import { expect, test } from 'vitest';
import { z } from 'zod';
import { keyInput, searchInput, textInput, textProblems, textsInput } from '#server/contract/text-input.ts';
import { screensRouter } from '#server/screens/router.ts';

test('every text and list that a screen accepts has a maximum, and refuses U+0000', () => {
  const procedures = Object.entries(proceduresOf(screensRouter));
  expect(procedures.length).toBeGreaterThan(100);
  expect(
    procedures.flatMap(([name, { _def }]) => inputsOf(_def).flatMap((input) => unbounded(input, name))),
  ).toEqual([]);
});

test.each([
  ['a text without a maximum', z.string()],
  ['a text that may contain U+0000', z.string().max(10)],
  ['an optional one', z.string().optional()],
  ['one with a default', z.string().default('')],
  ['one in a list', z.array(z.string()).max(1)],
  ['one of several kinds', z.union([z.number(), z.string()])],
  ['one that is converted', z.string().transform(Number)],
  ['a list without a maximum', z.array(keyInput)],
  ['any number of texts by name', z.record(keyInput, keyInput)],
  ['a tuple with a text', z.tuple([z.string()])],
  ['a tuple of any length', z.tuple([z.number()], z.number())],
  ['anything', z.unknown()],
  ['any', z.any()],
])('finds %s', (_what, schema) => {
  expect(unbounded(z.object({ given: schema }), 'x')).toEqual(['x.given']);
});

test.each([
  ['a bounded text', textInput(10)],
  ['an id', z.uuid()],
  ['a choice', z.enum(['a', 'b']).nullable()],
  ['a pair of numbers', z.tuple([z.number(), z.number()])],
  ['a bounded list of texts', z.array(textInput(10)).max(3).optional()],
  ['a bounded number of texts by name', textsInput({ max: 5, namesMax: 2 })],
])('accepts %s', (_what, schema) => {
  expect(unbounded(z.object({ given: schema }), 'x')).toEqual([]);
});

test.each([
  ['id', keyInput, 'a\0', ''],
  ['id', keyInput, 'x'.repeat(2_000), ''],
  ['id', keyInput, 'a', 'a'],
  ['search text', searchInput, 'a\0b', 'a\ufffdb'],
  ['search text', searchInput, 'x'.repeat(3_000), 'x'.repeat(1_000)],
])('an %s is never refused (%#)', (_what, schema, input, passed) => {
  expect(schema.parse(input)).toBe(passed);
});

test.each([
  [{ name: 'a\0b' }, { name: ['The name contains a character that cannot be stored. Remove it.'] }],
  [{ name: '\ud800' }, { name: ['The name contains a character that cannot be stored. Remove it.'] }],
  [{ name: '🙂'.repeat(11) }, { name: ['The name must be at most 5 characters.'] }],
  [
    { changes: { newPassword: '\0' } },
    { newPassword: ['The new password contains a character that cannot be stored. Remove it.'] },
  ],
  [{ content: 'x'.repeat(4_001) }, { content: ['The reply must be at most 1,000 characters.'] }],
  [{ name: 'a\0', other: 1 }, undefined],
])('case %#: names the field of a text that is refused', (input, errors) => {
  const schema = z
    .object({
      name: textInput(5),
      changes: z.object({ newPassword: textInput(9) }),
      content: textInput(1_000, 'reply'),
      other: keyInput,
    })
    .partial();
  const { error } = schema.safeParse(input);
  expect(error && textProblems(error)).toEqual(errors);
});

type Schema = z.core.$ZodType;

function proceduresOf({ _def }: { _def: object }): Record<string, { _def: object }> {
  return Reflect.get(_def, 'procedures');
}

function inputsOf(definition: object): Schema[] {
  return 'inputs' in definition ? (definition.inputs as Schema[]) : [];
}

/** Returns the paths of the texts and lists in a schema that have no maximum. */
function unbounded(schema: Schema, path: string): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const below = (inner: Schema, name = '') => unbounded(inner, `${path}${name}`);
  const checks = (def.checks ?? []).map(({ _zod }) => _zod.def.check);
  const own = (isBounded: boolean) => (isBounded ? [] : [path]);
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, inner]) => below(inner, `.${name}`));
    case 'array':
      return [...own(checks.includes('max_length')), ...below(def.element)];
    case 'tuple':
      return [...own(def.rest === null), ...def.items.flatMap((item) => below(item))];
    case 'record':
      return [...own(checks.includes('custom')), ...below(def.keyType), ...below(def.valueType)];
    case 'union':
      return def.options.flatMap((option) => below(option));
    case 'optional':
    case 'nullable':
    case 'default':
      return below(def.innerType);
    // A value that a function bounds.
    case 'unknown':
      return own(checks.includes('custom'));
    case 'pipe':
      return below(def.in);
    case 'string':
      return own(
        ['uuid', 'guid'].includes(formatOf(def)) ||
          (checks.includes('max_length') && checks.includes('custom')),
      );
    case 'literal':
    case 'enum':
    case 'boolean':
    case 'number':
    case 'date':
    case 'null':
      return [];
    default:
      // A kind of schema that is not known to be bounded.
      return [path];
  }
}

function formatOf(def: object): string {
  return 'format' in def ? String(def.format) : '';
}
