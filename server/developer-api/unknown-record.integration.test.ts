import { NIL } from 'uuid';
import { describe, expect } from 'vitest';
import type { oas31 } from 'zod-openapi';
import { developerDocument } from '#server/developer-api/openapi/document.ts';
import { developerClient } from '#test/clients/api-client.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { test } from '#test/fixtures/service-test.ts';

/** Calls about the record that their path names, with values that could be invalid. */
const CALLS = Object.entries(developerDocument.paths ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, oas31.OperationObject>).flatMap(([method, operation]) => {
    const parameters = (operation.parameters ?? []) as oas31.ParameterObject[];
    const query = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
    const body = operation.requestBody as oas31.RequestBodyObject | undefined;
    const { properties = {} } = (body?.content['application/json']?.schema ?? {}) as oas31.SchemaObject;
    const fields = Object.keys(properties);
    if (!path.includes('{id}') || query.length + fields.length === 0) return [];
    return [{ name: `${method.toUpperCase()} ${path}`, query, fields }];
  }),
);

describe('docs/rulings.md 2.1: an unknown record is refused before invalid values', () => {
  test.for(CALLS)('$name', async ({ name, query, fields }, { service }) => {
    const { token } = await makeApiToken();
    const [method = '', path = ''] = name.split(' ');
    const wrong = new URLSearchParams(query.map((each) => [each, 'wrong']));
    const body = Object.fromEntries(fields.map((each) => [each, {}]));
    const sent = fields.length > 0 ? [body] : [];
    const api = developerClient(service.url, token);
    const { status } = await api(method, `${path.replaceAll(/\{\w+\}/g, NIL)}?${wrong}`, ...sent);
    expect(status).toBe(404);
  });
});
