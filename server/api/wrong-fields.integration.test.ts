import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { apiClient } from '#test/clients/api-client.ts';
import { PLATFORM } from '#test/fixtures/service.ts';
import { test } from '#test/fixtures/service-test.ts';

const hook = { event: 'contact.created', target_url: `https://${PLATFORM.hooksHost}/hook` };
const conversation = { to_email: 'ada@example.com', to_name: 'Ada', subject: 'Order', content: 'Hello' };

describe.each(fields())('$field of POST $path', ({ path, valid, field, label, required }) => {
  test('must be text: numbers, booleans, lists and objects are refused', async ({ api }) => {
    for (const value of NOT_TEXT) {
      await expectRefused(api, path, { ...valid, [field]: value }, field, `The ${label} must be text.`);
    }
  });

  test('must not contain a character that cannot be stored', async ({ api }) => {
    for (const value of UNSTORABLE) {
      const sentence = `The ${label} contains a character that cannot be stored. Remove it.`;
      await expectRefused(api, path, { ...valid, [field]: value }, field, sentence);
    }
  });

  test(
    required ? 'is required: null and blanks are nothing' : 'may be left out, null or blank',
    async ({ api }) => {
      for (const value of BLANK) {
        if (required)
          await expectRefused(api, path, { ...valid, [field]: value }, field, `The ${label} is required.`);
        else expect((await api('POST', path, { ...valid, [field]: value })).status).toBe(201);
      }
    },
  );
});

describe('the limits of POST /conversations', () => {
  test.for([
    { field: 'to_name', label: 'recipient’s name (to_name)', max: 160 },
    { field: 'subject', label: 'subject', max: 200 },
    { field: 'content', label: 'content', max: 8_000 },
  ])('$field has at most $max code points', async ({ field, label, max }, { api }) => {
    const sentence = `The ${label} must be at most ${max.toLocaleString('en')} characters.`;
    for (const character of ['x', EMOJI]) {
      const longest = await api('POST', '/conversations', {
        ...conversation,
        [field]: character.repeat(max),
      });
      expect(longest.status).toBe(201);
      const longer = { ...conversation, [field]: character.repeat(max + 1) };
      await expectRefused(api, '/conversations', longer, field, sentence);
    }
    const padded = { ...conversation, [field]: ` ${'x'.repeat(max)} ` };
    if (field === 'content') await expectRefused(api, '/conversations', padded, field, sentence);
    else expect((await api('POST', '/conversations', padded)).status).toBe(201);
  });

  test('to_email has at most 254 characters', async ({ api }) => {
    const address = (length: number) => `${'x'.repeat(length - '@example.com'.length)}@example.com`;
    const longest = await api('POST', '/conversations', { ...conversation, to_email: ` ${address(254)} ` });
    expect(longest).toMatchObject({ status: 201, body: { contact: { email: address(254) } } });
    const sentence = 'The recipient’s email address (to_email) must be at most 254 characters.';
    await expectRefused(
      api,
      '/conversations',
      { ...conversation, to_email: address(255) },
      'to_email',
      sentence,
    );
  });

  test('to_email must be an address', async ({ api }) => {
    const sentence =
      'The recipient’s email address (to_email) must be a valid email address, such as ada@example.com.';
    for (const wrong of [
      'ada',
      'ada@',
      '@example.com',
      'a b@example.com',
      'a@b.test, c@d.test',
      'A <a@b.test>',
    ]) {
      await expectRefused(api, '/conversations', { ...conversation, to_email: wrong }, 'to_email', sentence);
    }
    const injected = 'ada@example.com\r\nBcc: eve@evil.test';
    await expectRefused(api, '/conversations', { ...conversation, to_email: injected }, 'to_email', sentence);
  });
});

describe('several invalid fields', () => {
  test('are reported together, the first one as the message, and nothing is changed', async ({ api }) => {
    const before = await db().conversation.count();
    const wrong = { to_email: 'no', to_name: 7, subject: '', content: [] };
    const { status, body } = await api('POST', '/conversations', wrong);
    expect(status).toBe(422);
    expect(body).toEqual({
      message:
        'The recipient’s email address (to_email) must be a valid email address, such as ada@example.com.',
      errors: {
        to_email: [
          'The recipient’s email address (to_email) must be a valid email address, such as ada@example.com.',
        ],
        to_name: ['The recipient’s name (to_name) must be text.'],
        subject: ['The subject is required.'],
        content: ['The content must be text.'],
      },
    });
    expect(await db().conversation.count()).toBe(before);
  });
});

const EMOJI = '😀';
const BLANK = [undefined, null, '', '  ', '\t\n'];
const NOT_TEXT = [0, 7, true, false, [], ['a'], {}, { a: 'b' }];
const UNSTORABLE = ['a\0b', '\0', 'a\ud83d', '\ude00b'];

/** Expects a `422` with exactly this sentence under this field. */
async function expectRefused(
  api: ReturnType<typeof apiClient>,
  path: string,
  body: object,
  field: string,
  sentence: string,
): Promise<void> {
  const response = await api('POST', path, body);
  expect({ status: response.status, body: response.body }, JSON.stringify(body).slice(0, 200)).toEqual({
    status: 422,
    body: { message: sentence, errors: { [field]: [sentence] } },
  });
}

/** Text fields of requests that are valid without a change. */
function fields() {
  return [
    { path: '/hooks', valid: hook, field: 'target_url', label: 'hook address (target_url)', required: true },
    { path: '/hooks', valid: hook, field: 'event', label: 'event', required: true },
    {
      path: '/conversations',
      valid: conversation,
      field: 'to_email',
      label: 'recipient’s email address (to_email)',
      required: true,
    },
    {
      path: '/conversations',
      valid: conversation,
      field: 'to_name',
      label: 'recipient’s name (to_name)',
      required: false,
    },
    { path: '/conversations', valid: conversation, field: 'subject', label: 'subject', required: true },
    { path: '/conversations', valid: conversation, field: 'content', label: 'content', required: true },
  ];
}
