import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { apiClient } from '#test/clients/api-client.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('sender', ({ api, connection }) => makeSender(api, connection));

describe.each(fieldsOfCalls())('$field of $call', ({ call, field, label, max }) => {
  const success = call.startsWith('POST') ? 201 : 200;

  test('must be text: numbers, booleans, lists and objects are refused', async ({ sender }) => {
    await expectRefused(sender, { call, field }, NOT_TEXT, `The ${label} must be text.`);
  });

  test('refuses characters that cannot be stored', async ({ sender }) => {
    await expectRefused(
      sender,
      { call, field },
      UNSTORABLE,
      `The ${label} contains a character that cannot be stored. Remove it.`,
    );
  });

  test('can be missing, null or blank', async ({ sender }) => {
    for (const value of BLANK) {
      const { status, body } = await sender.send(call, field, value);
      expect(status).toBe(success);
      expect(body).toMatchObject({ [field]: field === 'name' && success === 200 ? 'Known' : null });
    }
  });

  test(`has at most ${max} code points, counted after trimming`, async ({ sender }) => {
    const sentence = `The ${label} must be at most ${max} characters.`;
    const longest = field === 'email' ? [addressOf(max)] : ['x'.repeat(max), EMOJI.repeat(max)];
    for (const text of longest) {
      expect(await sender.send(call, field, text)).toMatchObject({
        status: success,
        body: { [field]: text },
      });
    }
    const other = field === 'email' ? `y${addressOf(max - 1)}` : 'y'.repeat(max);
    expect(await sender.send(call, field, `  ${other}\n`)).toMatchObject({
      status: success,
      body: { [field]: other },
    });
    const longer = field === 'email' ? [addressOf(max + 1)] : [];
    await expectRefused(
      sender,
      { call, field },
      [...longer, 'x'.repeat(max + 1), EMOJI.repeat(max + 1)],
      sentence,
    );
  });

  test('keeps characters with a meaning in SQL, JSON or HTML', async ({ sender }) => {
    const text = field === 'email' ? "o'brien+%s@example.com" : `'";<b>\\%`;
    expect(await sender.send(call, field, text)).toMatchObject({ status: success, body: { [field]: text } });
  });
});

test('all invalid fields are reported together, the first one as the message', async ({
  api,
  connection: { workspaceId },
}) => {
  const { id } = await db().contact.create({ data: { workspaceId, firstName: 'Known' } });
  const wrong = { language: 'x'.repeat(9), city: 7, phone: [], email: 'no', name: 'a\0' };
  const expected = {
    name: ['The name contains a character that cannot be stored. Remove it.'],
    email: ['The email address (email) must be a valid email address, such as ada@example.com.'],
    phone: ['The phone number (phone) must be text.'],
    city: ['The city must be text.'],
    language: ['The language must be at most 8 characters.'],
  };
  for (const response of [
    await api('POST', '/contacts', wrong),
    await api('PATCH', `/contacts/${id}`, wrong),
  ]) {
    expect(response.status).toBe(422);
    expect(response.body).toEqual({ message: expected.name[0], errors: expected });
  }
});

const EMOJI = '😀';
const BLANK = [undefined, null, '', '  ', '\t\n', '\u00a0'];
const NOT_TEXT = [0, 7, -1.5, true, false, [], ['a'], [['a']], {}, { a: 'b' }];
const UNSTORABLE = ['a\0b', '\0', 'a\ud83d', '\ude00b', '\ude00\ud83d'];

function fieldsOfCalls() {
  const texts = [
    { field: 'name', label: 'name', max: 160 },
    { field: 'email', label: 'email address (email)', max: 255 },
    { field: 'phone', label: 'phone number (phone)', max: 60 },
    { field: 'city', label: 'city', max: 120 },
    { field: 'language', label: 'language', max: 8 },
  ];
  const calls = ['POST /contacts', 'PATCH /contacts/{id}'];
  return calls.flatMap((call) => texts.map((text) => ({ call, ...text })));
}

type Sender = Awaited<ReturnType<typeof makeSender>>;

/** Creates a contact, and a function that sends a value for one of its fields or for one of a new contact. */
async function makeSender(api: ReturnType<typeof apiClient>, { workspaceId }: { workspaceId: string }) {
  const known = await db().contact.create({ data: { workspaceId, firstName: 'Known' } });
  return {
    rows: () => db().contact.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } }),
    send: async (call: string, field: string, value: unknown) => {
      const [method = '', path = ''] = call.replace('{id}', known.id).split(' ');
      // A field that makes the contact valid and that no later field overwrites.
      const other = field === 'phone' ? { name: 'Ada' } : { phone: '7' };
      const { status, body } = await api(method, path, { ...other, [field]: value });
      return { status, body };
    },
  };
}

/** Expects that each value is refused with this message under the field, and that nothing is written. */
async function expectRefused(
  { rows, send }: Sender,
  { call, field }: { call: string; field: string },
  values: unknown[],
  sentence: string,
): Promise<void> {
  const before = await rows();
  for (const value of values) {
    expect(await send(call, field, value), JSON.stringify(value)).toEqual({
      status: 422,
      body: { message: sentence, errors: { [field]: [sentence] } },
    });
  }
  expect(await rows()).toEqual(before);
}

/** Returns an address of the given length. */
function addressOf(length: number): string {
  return `${'x'.repeat(length - '@example.com'.length)}@example.com`;
}
