import { readFile } from 'node:fs/promises';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import type { oas31 } from 'zod-openapi';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { projectPath } from '#server/core/project.ts';
import { setTestSettings } from '#test/servers/settings.ts';

setTestSettings();
const { openApiDocument, openApiJson } = await import('#server/api/openapi/document.ts');

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(openApiDocument, 'document', undefined, false);

type Operation = { name: string; path: string; method: string; operation: oas31.OperationObject };

const all = operationsOf(openApiDocument.paths ?? {});
const calls = all.filter(({ path }) => path !== '/openapi.json');
const events = operationsOf((openApiDocument.webhooks ?? {}) as oas31.PathsObject);

test('the document has its OpenAPI version 3.1, the API’s version 1 and the API’s address', () => {
  expect(openApiDocument).toMatchObject({
    openapi: '3.1.0',
    info: { version: '1' },
    servers: [{ url: '/api/automation/v1' }],
  });
  expect(openApiJson.endsWith('}\n')).toBe(true);
  expect(JSON.parse(openApiJson)).toEqual(openApiDocument);
});

test('it names a contact and the license, as OpenAPI linters require', () => {
  expect(openApiDocument.info).toMatchObject({
    contact: { name: 'Shared Inbox', email: expect.stringContaining('@') },
    license: { name: 'MIT', identifier: 'MIT' },
  });
});

test('every operation describes its response to a client error', () => {
  const silent = all.filter(
    ({ operation }) => !Object.keys(operation.responses ?? {}).some((status) => status.startsWith('4')),
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test('openapi.json matches the procedures', async () => {
  const sentence = 'Run npm run openapi, review the changes as a user of the API, and commit them.';
  expect(await readFile(projectPath('openapi.json'), 'utf8'), sentence).toBe(openApiJson);
});

test('it has every endpoint of the contract, with a unique operation id', () => {
  expect(all.map(({ name }) => name).sort()).toEqual([
    'DELETE /hooks/{id}',
    'GET /contacts/search',
    'GET /conversations/search',
    'GET /me',
    'GET /openapi.json',
    'GET /teams',
    'GET /triggers/{event}/samples',
    'GET /users',
    'PATCH /contacts/{id}',
    'PATCH /conversations/{id}',
    'POST /contacts',
    'POST /conversations',
    'POST /conversations/{id}/notes',
    'POST /conversations/{id}/replies',
    'POST /conversations/{id}/tags',
    'POST /hooks',
  ]);
  const ids = [...all, ...events].map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(events.map(({ path }) => path)).toEqual(EVENT_KEYS);
});

describe.each([...all, ...events])('$name', ({ operation }) => {
  test('has a summary, a description, a described tag, and a description of each parameter', () => {
    expect(operation.summary).toMatch(/^[A-Z].*[^.!]$/);
    expect(operation.description).toMatch(/^[A-Z][^!]*\.$/s);
    expect(openApiDocument.tags?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(operation.tags ?? ['none']),
    );
    for (const parameter of (operation.parameters ?? []) as oas31.ParameterObject[]) {
      expect(parameter.description, parameter.name).toMatch(/\.$/);
    }
    const fields = Object.entries(bodySchema(operation)?.properties ?? {});
    for (const [name, field] of fields) expect(field.description, name).toMatch(/\.$/);
  });
});

function bodySchema({ requestBody }: oas31.OperationObject): oas31.SchemaObject | undefined {
  const body = requestBody as oas31.RequestBodyObject | undefined;
  const schema = body?.content['application/json']?.schema;
  return schema && '$ref' in schema ? undefined : (schema as oas31.SchemaObject | undefined);
}

describe.each(calls)('$name', ({ path, method, operation }) => {
  const responses = (operation.responses ?? {}) as Record<string, oas31.ResponseObject>;

  test('needs a token', () => {
    expect(operation.security).toEqual([{ bearer: [] }, { oauth2: ['automation'] }]);
  });

  test('describes its successful response with the contract’s status, the headers and an example', () => {
    const success = Object.keys(responses).filter((status) => status.startsWith('2'));
    const creates = method === 'post' && path !== '/conversations/{id}/tags';
    expect(success).toEqual([creates ? '201' : '200']);
    const response = responses[success[0] ?? ''];
    expect(Object.keys(response?.headers ?? {})).toEqual([
      'X-Request-Id',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      ...(method === 'post' ? ['Idempotent-Replayed'] : []),
    ]);
    expect(response?.content?.['application/json']?.example).toBeDefined();
  });

  test('describes every error that it may return', () => {
    const errors = Object.keys(responses).filter((status) => !status.startsWith('2'));
    const isAboutOneRecord = path.includes('{') && path !== '/hooks/{id}';
    const hasQuery = (operation.parameters as oas31.ParameterObject[] | undefined)?.some(
      (one) => one.in === 'query',
    );
    expect(errors).toEqual([
      ...(method === 'post' ? ['400'] : []),
      '401',
      ...(path.endsWith('/notes') ? ['402'] : []),
      '403',
      ...(isAboutOneRecord ? ['404'] : []),
      ...(method === 'post' ? ['409'] : []),
      ...(operation.requestBody ? ['413'] : []),
      ...(operation.requestBody || hasQuery ? ['422'] : []),
      '429',
      '500',
    ]);
  });

  test('shows an example of every parameter and of its body', () => {
    for (const parameter of (operation.parameters ?? []) as oas31.ParameterObject[]) {
      expect(parameter.example, parameter.name).toBeDefined();
    }
    if (!operation.requestBody) return;
    const example = (operation.requestBody as oas31.RequestBodyObject).content['application/json']?.example;
    expect(Object.keys(example ?? {})).not.toEqual([]);
  });
});

test('every example matches its schema', () => {
  const wrong: string[] = [];
  let examples = 0;
  for (const { at, value } of objectsIn(openApiDocument)) {
    if (/\/(example|examples|properties)(\/|$)/.test(at) && !/\/properties\/[^/]+$/.test(at)) continue;
    if ('example' in value && 'schema' in value) {
      examples += 1;
      wrong.push(problem(`${at}/schema`, value.example));
    }
    if (Array.isArray(value.examples)) {
      examples += value.examples.length;
      wrong.push(...value.examples.map((example) => problem(at, example)));
    }
  }
  expect(wrong.filter(Boolean)).toEqual([]);
  expect(examples).toBeGreaterThan(80);
});

describe('a body that the API accepts matches the schema', () => {
  const bodyOf = (name: string) => {
    const found = calls.find((each) => each.name === name);
    if (!found) throw new Error(`There is no operation ${name}.`);
    const path = found.path.replaceAll('~', '~0').replaceAll('/', '~1');
    return `/paths/${encodeURI(path)}/${found.method}/requestBody/content/application~1json/schema`;
  };

  test.each<[string, object]>([
    ['PATCH /conversations/{id}', { status: '', priority: 'high', assignee_id: '', team_id: '' }],
    ['PATCH /contacts/{id}', {}],
    ['PATCH /contacts/{id}', { name: '', email: '', phone: '', city: '', language: '' }],
    ['POST /contacts', { name: 'Ada', email: '' }],
    ['POST /hooks', { event: 'operator.command', target_url: 'https://hooks.test/1', command: ' /Refund ' }],
    ['POST /hooks', { event: 'operator.command', target_url: 'https://hooks.test/1', command: '/' }],
    ['POST /hooks', { event: 'contact.created', target_url: 'https://hooks.test/1', status: '', tag: '' }],
  ])('%s %j', (name, body) => {
    expect(problem(bodyOf(name), body)).toBe('');
  });

  test.each<[string, object]>([
    ['PATCH /conversations/{id}', {}],
    ['POST /contacts', {}],
    ['POST /contacts', { email: 'nobody' }],
    ['POST /hooks', { event: 'operator.command', target_url: 'https://hooks.test/1', command: 're fund' }],
    ['POST /hooks', { event: 'operator.command', target_url: 'https://hooks.test/1', command: '-refund' }],
  ])('and a body that the API refuses does not: %s %j', (name, body) => {
    expect(problem(bodyOf(name), body)).not.toBe('');
  });
});

test('every reference resolves, and every component is used', () => {
  const refs = new Set<string>();
  for (const { value } of objectsIn(openApiDocument))
    if (typeof value.$ref === 'string') refs.add(value.$ref);
  const { schemas, responses, headers } = openApiDocument.components ?? {};
  const there = Object.entries({ schemas, responses, headers }).flatMap(([kind, parts]) =>
    Object.keys(parts ?? {}).map((name) => `#/components/${kind}/${name}`),
  );
  expect([...refs].sort()).toEqual(there.sort());
});

test('generators of typed clients read the fields of every body', () => {
  for (const { name, operation } of calls.filter((call) => call.operation.requestBody)) {
    const schema = bodySchema(operation);
    expect(Object.keys(schema?.properties ?? {}), name).not.toEqual([]);
    expect([schema?.anyOf, schema?.oneOf, schema?.allOf], name).toEqual([undefined, undefined, undefined]);
  }
});

test('errors are a message, or a message and errors by field, without a code and a stack', () => {
  expect(problem('/components/schemas/ValidationError', { message: 'a', errors: { b: ['c'] } })).toBe('');
  expect(problem('/components/schemas/ValidationError', { message: 'a', errors: {} })).not.toBe('');
  expect(problem('/components/schemas/ValidationError', { message: 'a' })).not.toBe('');
  const fields = [...objectsIn(openApiDocument)].map(({ at }) => at.split('/').at(-1));
  expect(fields).not.toContain('code');
  expect(fields).not.toContain('stack');
});

test('a record has all of its keys, and accepts keys that later versions add', () => {
  for (const [name, schema] of Object.entries(openApiDocument.components?.schemas ?? {})) {
    const { oneOf, properties = {}, required } = schema as oas31.SchemaObject;
    if (oneOf) continue;
    expect(required, name).toEqual(Object.keys(properties));
  }
  expect(openApiJson).not.toContain('"additionalProperties": false');
});

describe.each(events)('the delivery of $path', ({ path, operation }) => {
  test('describes its headers, and the meaning of each response', () => {
    const headers = operation.parameters as oas31.ParameterObject[];
    expect(headers.map(({ name }) => name)).toEqual(['User-Agent', 'X-Service-Event', 'X-Service-Delivery']);
    expect(headers[1]?.schema).toMatchObject({ const: path });
    expect(Object.keys(operation.responses ?? {}).sort()).toEqual(['2XX', '410', '429', '4XX', '5XX']);
  });

  test('has a UUID as its id, while a sample has any text', () => {
    const body = operation.requestBody as oas31.RequestBodyObject;
    const { example, schema } = body.content['application/json'] ?? {};
    const ref = schema && '$ref' in schema ? schema.$ref.slice(1) : '';
    const sample = { ...example, id: `${path}:1` };
    expect(problem(ref, example)).toBe('');
    expect(problem(ref, sample)).toContain('id must match format');
    expect(problem(ref.replace(/Event$/, 'Sample'), sample)).toBe('');
  });
});

function operationsOf(items: oas31.PathsObject): Operation[] {
  return Object.entries(items).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation: operation as oas31.OperationObject,
    })),
  );
}

/** Yields every object in a value, with its JSON pointer. */
function* objectsIn(value: unknown, at = ''): Generator<{ at: string; value: Record<string, unknown> }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { at, value: value as Record<string, unknown> };
  for (const [key, inner] of Object.entries(value)) {
    yield* objectsIn(inner, `${at}/${encodeURI(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
  }
}

/** Validates a value by the schema at a JSON pointer of the document. Returns the errors, or an empty string. */
function problem(schemaAt: string, value: unknown): string {
  const validate: ValidateFunction = ajv.compile({ $ref: `document#${schemaAt}` });
  return validate(value) ? '' : `${schemaAt}: ${ajv.errorsText(validate.errors)}`;
}
