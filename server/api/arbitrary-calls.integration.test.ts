import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type ApiResponse, apiClient } from '#test/clients/api-client.ts';
import { type Operation, operations } from '#test/clients/operations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { makeWholeWorkspace } from '#test/fixtures/whole-workspace.ts';

// Fuzz test: whatever a client sends, it gets a documented status. The test service checks each response against its schema.

const test = serviceTest.extend('workspace', { scope: 'file' }, ({ service: _ }) => makeWholeWorkspace());

describe.each(operations())('$name', (operation) => {
  test('returns a documented status for any input, and a message with each error', async ({
    service,
    workspace,
  }) => {
    const { accessToken } = await makeConnection({ workspaceId: workspace.workspaceId });
    const call = apiClient(service.url, accessToken);
    await fc.assert(
      fc.asyncProperty(pathOf(workspace, operation), bodyOf(operation), async (path, body) => {
        expectDocumented(operation, await call(operation.method, path, body));
      }),
      { numRuns: RUNS },
    );
  });
});

/** Calls per operation. The rate limit of a connection is more than twice as high. */
const RUNS = 120;
const ERROR_KEYS = new Set(['message', 'errors']);

/** Strings of every kind: any Unicode, lone surrogates, U+0000, numbers and ids. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.constantFrom(
    '',
    ' ',
    'null',
    'none',
    'open',
    'closed',
    '%00',
    '../..',
    'ada@example.com',
    'conversation.tagged',
  ),
  fc.uuid(),
);

const value = fc.oneof(
  { weight: 3, arbitrary: text },
  { weight: 2, arbitrary: fc.jsonValue() },
  fc.array(text),
);

/** A body: usually an object with known fields, sometimes other JSON, sometimes no JSON. */
function bodyOf({ body }: Operation): fc.Arbitrary<string | undefined> {
  if (!body) return fc.constant(undefined);
  const fields = fc.dictionary(fc.oneof(fc.constantFrom(...body.fields), fc.string()), value);
  return fc.oneof(
    { weight: 6, arbitrary: fields.map((input) => JSON.stringify({ ...body.example, ...input })) },
    { weight: 2, arbitrary: fields.map((input) => JSON.stringify(input)) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  );
}

function pathOf(
  workspace: Awaited<ReturnType<typeof makeWholeWorkspace>>,
  { path, queryParameters }: Operation,
): fc.Arbitrary<string> {
  const known = fc.constantFrom(workspace.conversationId, workspace.contactId, workspace.mergedId);
  const id = fc.oneof({ weight: 4, arbitrary: known }, { weight: 1, arbitrary: text });
  const event = fc.oneof(fc.constantFrom('conversation.tagged', 'operator.command', 'contact.created'), text);
  const query = fc.dictionary(fc.oneof(fc.constantFrom('x', ...queryParameters), fc.string()), text);
  return fc.tuple(id, event, query).map(([givenId, givenEvent, parameters]) => {
    const search = new URLSearchParams(parameters);
    return `${path.replace('{id}', encoded(givenId)).replace('{event}', encoded(givenEvent))}?${search}`;
  });
}

/** Encodes a path segment. Lone surrogates have no encoding, and an empty segment would be another address. */
function encoded(segment: string): string {
  return encodeURIComponent(segment.toWellFormed()) || 'x';
}

/** Returns whether the id changed the path itself, for example by dot segments: such a path gets `404`. */
function expectDocumented({ statuses }: Operation, { status, headers, body }: ApiResponse): void {
  expect([...statuses, 404]).toContain(status);
  expect(status).toBeLessThan(500);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  if (status < 400) return;
  expect(body).toMatchObject({ message: expect.any(String) });
  expect(Object.keys(Object(body)).filter((key) => !ERROR_KEYS.has(key))).toEqual([]);
  if (status === 422) expect(Object.keys(Object(body).errors)).not.toEqual([]);
}
