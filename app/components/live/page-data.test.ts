import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { change, pageData } from '#app/components/live/page-data.ts';
import { notReached } from '#app/lib/outcome.ts';

const save = change(({ companies }, name: string) => companies.create.mutate({ name }));

beforeEach(() => {
  vi.stubGlobal('window', globalThis);
  pageData({ userId: 'user', workspaceId: 'workspace', seesAll: true });
});
afterEach(() => vi.unstubAllGlobals());

test('a change posts the workspace of the page, and returns the value', async () => {
  const fetch = respond(200, { result: { data: { json: { id: '1' } } } });
  expect(await save('Acme')).toEqual({ done: true, value: { id: '1' } });
  expect(fetch).toHaveBeenCalledExactlyOnceWith(
    '/api/screens/companies.create',
    expect.objectContaining({
      method: 'POST',
      body: '{"json":{"name":"Acme"}}',
      headers: expect.objectContaining({ 'x-workspace-id': 'workspace' }),
    }),
  );
});

test.each([
  [
    'by the procedure',
    422,
    refusedByProcedure('The name (to_name) is empty.', { to_name: ['The name (to_name) is empty.'] }),
    { problem: 'The name is empty.', fields: { to_name: 'The name is empty.' } },
  ],
  [
    'by the procedure, of the whole change',
    403,
    refusedByProcedure('Viewers can only read.'),
    { problem: 'Viewers can only read.', fields: {} },
  ],
  [
    'before the procedure is called',
    409,
    { message: 'Another workspace is open.' },
    { problem: 'Another workspace is open.', fields: {} },
  ],
  ['by something that does not speak JSON', 502, '<html>', notReached()],
  ['by something else', 200, ['?'], notReached()],
])('a change that is refused %s is an outcome', async (_by, status, body, refused) => {
  respond(status, body);
  expect(await save('Acme')).toEqual({ done: false, ...refused });
});

test('a change whose request or response is lost is an outcome', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await save('Acme')).toEqual(notReached());
});

function refusedByProcedure(message: string, errors?: Record<string, string[]>) {
  const data = { code: 'UNPROCESSABLE_CONTENT', httpStatus: 422, ...(errors ? { errors } : {}) };
  return { error: { json: { message, code: -32_022, data } } };
}

function respond(status: number, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const fetch = vi.fn(async () => new Response(text, { status }));
  vi.stubGlobal('fetch', fetch);
  return fetch;
}
