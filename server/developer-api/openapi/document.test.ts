import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import type { oas31 } from 'zod-openapi';
import { ABILITIES } from '#server/automation/tokens/abilities.ts';
import { parseSettings } from '#server/core/env.ts';
import { projectPath } from '#server/core/project.ts';
import {
  developerDocument,
  developerJson,
  servedDeveloperJson,
} from '#server/developer-api/openapi/document.ts';
import { REQUIRED_SETTINGS } from '#test/fixtures/required-settings.ts';

type Operation = [name: string, operation: oas31.OperationObject];

const operations = Object.entries(developerDocument.paths ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]): Operation => [
      `${method.toUpperCase()} ${path}`,
      operation as oas31.OperationObject,
    ],
  ),
);
const calls = operations.filter(([, { security }]) => security?.length !== 0);

const validator = new Ajv2020({ strict: false });
addFormats.default(validator);

test('openapi-developer.json matches the procedures', async () => {
  const sentence = 'Run npm run openapi, review the changes as a user of the API, and commit them.';
  expect(await readFile(projectPath('openapi-developer.json'), 'utf8'), sentence).toBe(developerJson);
});

test('every reference resolves, and records accept fields that later versions add', () => {
  const refs = new Set(developerJson.match(/#\/components\/\w+\/[\w.-]+/g));
  const { schemas, responses, headers } = developerDocument.components ?? {};
  const there = Object.entries({ schemas, responses, headers }).flatMap(([kind, parts]) =>
    Object.keys(parts ?? {}).map((name) => `#/components/${kind}/${name}`),
  );
  expect([...refs].sort()).toEqual(there.sort());
  expect(developerJson).not.toContain('"additionalProperties": false');
});

test('every example of a body matches its schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(developerDocument, 'document', undefined, false);
  const wrong: string[] = [];
  const check = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('example' in value && 'schema' in value) {
      const validate = ajv.compile({ $ref: `document#${at}/schema` });
      if (!validate(value.example)) wrong.push(`${at}: ${ajv.errorsText(validate.errors)}`);
    }
    for (const [key, inner] of Object.entries(value)) {
      if (key !== 'example')
        check(inner, `${at}/${encodeURI(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
    }
  };
  check(developerDocument.paths, '/paths');
  check(developerDocument.webhooks, '/webhooks');
  expect(wrong).toEqual([]);
});

test('the body of every webhook has an example of its event', () => {
  for (const [key, { post }] of Object.entries(developerDocument.webhooks ?? {})) {
    const body = post?.requestBody as oas31.RequestBodyObject;
    expect(body.content['application/json']?.example, key).toMatchObject({
      type: key,
      data: expect.anything(),
    });
  }
});

describe('a body matches its schema if the API accepts it, and only then', () => {
  const url = 'https://example.com/webhooks';
  const choices = { events: ['note.added'], description: null, enabled: null, skips_token_id: null };
  test.each<[string, object, boolean]>([
    ['POST /webhooks', { url, ...choices }, true],
    ['POST /webhooks', { url }, false],
    ['POST /webhooks', choices, false],
    ['POST /webhooks', { url: null, ...choices }, false],
    ['POST /webhooks', { url, events: [] }, false],
    ['POST /webhooks', { url: `${url}/${'x'.repeat(500)}`, ...choices }, false],
    ['POST /webhooks', { url, ...choices, description: 'x'.repeat(201) }, false],
    ['PATCH /webhooks/{id}', { url: null, events: null, description: '', enabled: false }, true],
    ['PATCH /webhooks/{id}', {}, false],
    ['PATCH /conversations/{id}', {}, false],
    ['POST /contacts', {}, false],
  ])('%s %j: %s', (name, body, isAccepted) => {
    const [, { requestBody = undefined } = {}] = operations.find(([each]) => each === name) ?? [];
    const schema = requestBody && 'content' in requestBody && requestBody.content['application/json']?.schema;
    expect(validator.validate(schema || {}, body)).toBe(isAccepted);
  });
});

test('every time in a record has the format of a timestamp', () => {
  const times = Object.entries(developerDocument.components?.schemas ?? {}).flatMap(([name, schema]) =>
    Object.entries((schema as oas31.SchemaObject).properties ?? {})
      .filter(([field]) => /_(at|since|until)$/.test(field))
      .map(([field, property]) => ({ at: `${name}.${field}`, property })),
  );
  expect(times.length).toBeGreaterThan(10);
  const without = times.filter(({ property }) => !JSON.stringify(property).includes('"format":"date-time"'));
  expect(without.map(({ at }) => at)).toEqual([]);
});

test('only the document itself needs no token', () => {
  expect(operations.filter((each) => !calls.includes(each)).map(([name]) => name)).toEqual([
    'GET /openapi.json',
  ]);
});

describe.each(calls)('%s', (_name, operation) => {
  const responses = (operation.responses ?? {}) as Record<string, oas31.ResponseObject>;

  test('names the ability that it needs, and has a described tag', () => {
    const [, ability] = /Needs the ability `(\w+)`\.$/.exec(operation.description ?? '') ?? [];
    if (ability === undefined) expect(operation.description).toMatch(/Every token may make this call\.$/);
    else expect(ABILITIES).toContain(ability);
    expect(developerDocument.tags?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(operation.tags ?? ['none']),
    );
  });

  test('describes the refusals of its Idempotency-Key: malformed, in progress, used for another request', () => {
    const hasKey = (operation.parameters ?? []).some(
      (each) => 'name' in each && each.name === 'Idempotency-Key',
    );
    const described = ['400', '409', '422'].filter((status) => status in responses);
    if (hasKey) expect(described).toEqual(['400', '409', '422']);
  });

  test('describes its errors, headers and examples', () => {
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '403', '429', '500']));
    const [success] =
      Object.entries(responses)
        .find(([status]) => status.startsWith('2'))
        ?.slice(1) ?? [];
    const { headers, content } = success as oas31.ResponseObject;
    expect(Object.keys(headers ?? {})).toEqual(
      expect.arrayContaining(['Request-Id', 'X-RateLimit-Limit', 'RateLimit', 'RateLimit-Policy']),
    );
    expect(content?.['application/json']?.example).toBeDefined();
    for (const parameter of (operation.parameters ?? []) as oas31.ParameterObject[]) {
      expect([parameter.description, parameter.example], parameter.name).toEqual([
        expect.stringMatching(/\.$/),
        expect.anything(),
      ]);
    }
  });
});

test('a served document names tokens as the service creates them', () => {
  const settings = parseSettings({ ...REQUIRED_SETTINGS, TOKEN_PREFIX: 'acme' });
  const served = servedDeveloperJson(settings);
  expect(served).toContain('`acme_pk_live_…`, or `acme_pk_test_…`');
  expect(served).not.toContain('inbox_pk_');
});
