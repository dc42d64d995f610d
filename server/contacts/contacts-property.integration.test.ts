import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { contactSchema } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { API_PATH } from '#server/core/env.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('call', { scope: 'file' }, ({ service }) => makeCaller(service.url));

describe('every response is a documented one and never a server error, whatever is sent', () => {
  const seed = Math.floor(Math.random() * 2 ** 31);

  test(`GET /contacts/search (seed ${seed})`, async ({ call }) => {
    const documented = { success: 200, record: z.array(contactSchema).max(10), refusals: [422] };
    const asked = fc.asyncProperty(query, async (input) => {
      expectDocumented(await call('GET', () => `/contacts/search?${input}`), documented);
    });
    await fc.assert(asked, { seed, numRuns: RUNS });
  });

  test(`POST /contacts (seed ${seed})`, async ({ call }) => {
    const documented = { success: 201, record: contactSchema, refusals: [422] };
    const posted = fc.asyncProperty(body, async (input) => {
      expectDocumented(await call('POST', () => '/contacts', input), documented);
    });
    await fc.assert(posted, { seed, numRuns: RUNS });
  });

  test(`PATCH /contacts/{id} (seed ${seed})`, async ({ call }) => {
    const documented = { success: 200, record: contactSchema, refusals: [404, 422] };
    const someId = fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: parameter },
    );
    const patched = fc.asyncProperty(someId, body, async (other, input) => {
      const path = (known: string) => `/contacts/${other?.replaceAll(/[/?]/g, '') || known}`;
      expectDocumented(await call('PATCH', path, input), documented);
    });
    await fc.assert(patched, { seed, numRuns: RUNS });
  });
});

const RUNS = 150;
/** Below the rate limit per connection and minute, even while fast-check shrinks a failure. */
const CALLS_PER_CONNECTION = 200;

/** Returns a function that sends a request, which uses a new connection and contact after every 200 requests. */
function makeCaller(url: string) {
  let headers: Record<string, string>;
  let id: string;
  let calls = 0;
  return async (method: string, path: (id: string) => string, body?: string) => {
    if (calls % CALLS_PER_CONNECTION === 0) {
      const { accessToken, workspaceId } = await makeConnection();
      headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
      id = (await db().contact.create({ data: { workspaceId, firstName: 'Known' } })).id;
    }
    calls += 1;
    const input = {
      method,
      path: `${API_PATH}${path(id)}`,
      headers,
      ...(body === undefined ? {} : { body }),
    };
    return rawRequest(url, input);
  };
}

const errorBody = z.strictObject({
  message: z.string().min(1),
  errors: z.record(z.string(), z.array(z.string().min(1)).min(1)).optional(),
});

/** Any texts, including those with lone surrogates and U+0000, short or at the limits. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  fc.emailAddress(),
  fc.constantFrom('', ' ', '\0', '\ud800', 'ADA@EXAMPLE.COM', '+44 20', "'; drop table contacts; --"),
  fc.constantFrom(8, 9, 60, 61, 120, 121, 160, 161, 255, 256).map((length) => '😀'.repeat(length)),
);
const value = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
  { weight: 2, arbitrary: text },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const email = fc.oneof({ weight: 3, arbitrary: fc.emailAddress() }, { weight: 1, arbitrary: value });
const fields = fc.record(
  { name: value, email, phone: value, city: value, language: value, id: value },
  { requiredKeys: [] },
);
const body = fc.oneof(
  { weight: 6, arbitrary: fields.map((input) => JSON.stringify(input)) },
  { weight: 1, arbitrary: fc.dictionary(fc.string(), fc.jsonValue()).map((input) => JSON.stringify(input)) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: text },
);
/** Characters that can be sent in a request target unencoded: visible ASCII without `#`, which ends the query. */
const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => (code === 0x23 ? '%' : String.fromCharCode(code))),
});
const parameter = fc.oneof(
  visible,
  text.map((input) => encodeURIComponent(input.toWellFormed())),
);
const query = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom('email', 'phone'), visible), parameter))
  .map((pairs) => pairs.map(([name, input]) => `${name}=${input}`).join('&'));

/** Expects the documented success or a documented refusal in the contract's shape. */
function expectDocumented(
  response: { status: number; body: unknown; headers: { 'content-type'?: string | undefined } },
  { success, record, refusals }: { success: number; record: z.ZodType; refusals: number[] },
): void {
  expect([success, ...refusals]).toContain(response.status);
  expect(response.headers['content-type']).toMatch(/^application\/json/);
  if (response.status === success) {
    record.parse(response.body);
    return;
  }
  const { message, errors } = errorBody.parse(response.body);
  expect(errors !== undefined).toBe(response.status === 422);
  if (errors) expect(Object.values(errors)[0]?.[0]).toBe(message);
}
