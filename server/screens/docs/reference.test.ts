import { describe, expect, test } from 'vitest';
import { describeField } from '#server/screens/docs/describe-field.ts';
import { developerReference, reference } from '#server/screens/docs/docs.ts';
import { automationContract, developerContract, type Schema } from '#server/screens/docs/openapi-schema.ts';

const operations = reference.groups.flatMap((group) => group.operations);
const operation = (id: string) => operations.find((one) => one.id === id);

test('the references describe every call, event and record', () => {
  expect(operations).toHaveLength(16);
  expect(reference.events.map(({ key }) => key)).toContain('operator.command');
  for (const { events, records } of [reference, developerReference])
    expect([...events, ...records].filter(({ fields }) => fields.length === 0)).toEqual([]);
  expect(reference.events.map(({ example }) => typeof example)).toEqual(reference.events.map(() => 'string'));
  const calls = developerReference.groups.flatMap((group) => group.operations);
  expect(calls).toHaveLength(Object.values(developerContract.paths).flatMap(Object.keys).length);
  for (const { exampleTarget, success } of calls) {
    expect(exampleTarget).not.toMatch(/[{}]|undefined/);
    expect(success.example).toEqual(expect.any(String));
  }
});

test.each([
  ['the automation API', reference],
  ['the developer API', developerReference],
])('the reference of %s describes every record it refers to', (_name, reference) => {
  const operations = reference.groups.flatMap((group) => group.operations);
  const records = reference.records.map(({ name }) => name);
  const named = [
    ...operations.flatMap(({ success, bodyFields }) => [
      success.record,
      ...bodyFields.map((field) => field.record),
    ]),
    ...reference.events.flatMap(({ fields }) => fields.map((field) => field.record)),
    ...reference.records.flatMap(({ fields }) => fields.map((field) => field.record)),
  ].filter((name) => name !== null && name !== 'Sample');
  expect(records).toEqual(expect.arrayContaining(named));
});

test('a call is described with its path, its request and its response', () => {
  expect(operation('updateContact')).toMatchObject({
    method: 'PATCH',
    path: '/contacts/{id}',
    needsToken: true,
    pathFields: [{ name: 'id', required: true }],
    headerFields: [],
    success: { status: '200', record: 'Contact', isList: false },
  });
  expect(operation('updateContact')?.exampleTarget).toMatch(/^\/contacts\/[0-9a-f-]{36}$/);
  expect(operation('searchContacts')?.exampleTarget).toBe('/contacts/search?email=ada%40engines.example');
  expect(operation('searchContacts')?.success).toMatchObject({ record: 'Contact', isList: true });
  expect(operation('getDocument')).toMatchObject({ needsToken: false, bodyFields: [], exampleBody: null });
});

test('an error has the description of the call, or else the shared one', () => {
  const errors = operation('addNote')?.errors ?? [];
  expect(errors.map(({ status }) => status)).toEqual([
    '400',
    '401',
    '402',
    '403',
    '404',
    '409',
    '413',
    '422',
    '429',
    '500',
  ]);
  for (const { description, example } of errors) {
    expect(description).toMatch(/\.$/);
    expect(example).toContain('"message"');
  }
});

describe('a field', () => {
  test.each([
    [{ type: 'string', maxLength: 8000 }, 'string', ['at most 8,000 characters']],
    [{ type: ['string', 'null'], enum: ['open', null] }, 'string or null', []],
    [{ type: 'string', format: 'uuid' }, 'UUID', []],
    [{ anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] }, 'time or null', []],
    [{ anyOf: [{ $ref: '#/components/schemas/Team' }, { type: 'null' }] }, 'Team or null', []],
    [{ type: 'array', items: { type: 'string' } }, 'array of strings', []],
    [{ type: 'array', items: { $ref: '#/components/schemas/Team' } }, 'array of Team', []],
    [
      { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] },
      'array of strings or string',
      [],
    ],
    [{ type: 'integer', minimum: 1, maximum: 5 }, 'integer', ['1 to 5']],
    [{ type: 'integer', minimum: 0, maximum: 9007199254740991 }, 'integer', []],
    [{ type: 'string', format: 'email' }, 'string', ['an email address']],
  ])('%j is %s', (schema, type, limits) => {
    expect(described('field', schema, false)).toMatchObject({ type, limits });
  });

  test('without a description has that of its record', () => {
    const { description } = described('rating', { $ref: '#/components/schemas/Rating' }, true);
    expect(description).toBe('A satisfaction rating by a contact.');
  });

  test('lists its values without null, and its record', () => {
    expect(described('a', { type: ['string', 'null'], enum: ['open', null] }, true)).toMatchObject({
      values: ['open'],
      required: true,
    });
    expect(described('a', { type: 'string', const: 'x' }, true).values).toEqual(['x']);
    expect(described('a', { $ref: '#/components/schemas/Team' }, true).record).toBe('Team');
  });
});

function described(name: string, schema: Schema, required: boolean) {
  return describeField(automationContract, { name, schema, required });
}
