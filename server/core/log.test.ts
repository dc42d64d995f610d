import { describe, expect, test } from 'vitest';
import { makeLog } from '#server/core/log.ts';
import { setTestSettings } from '#test/servers/settings.ts';

const TOKEN = `kza_${'aB3'.repeat(14)}x`;
const lineOf = (values: object) => {
  const lines: string[] = [];
  setTestSettings({ LOG_LEVEL: 'trace' });
  makeLog({ write: (line) => lines.push(line) }).info(values, 'test.happened');
  return lines.join('');
};

describe('docs/rulings.md 4.11: a secret that reaches the log is not written', () => {
  test.each([
    'authorization',
    'cookie',
    'password',
    'token',
    'access_token',
    'refresh_token',
    'code',
    'code_verifier',
    'client_secret',
  ])('a field named %s is redacted', (name) => {
    expect(lineOf({ [name]: 'hidden', request: { [name]: 'hidden' } })).not.toContain('hidden');
  });

  test.each([
    ['an address', { path: `/api/automation/v1/hooks/${TOKEN}` }],
    ['an error', { err: new Error(`No record ${TOKEN}.`) }],
    ['a list', { values: [TOKEN, TOKEN] }],
    ['a name', { [TOKEN]: 1 }],
  ])('%s: a text that looks like a code or token is cut', (_where, values) => {
    const line = lineOf(values);
    expect(line).toContain('kza_…');
    expect(line).not.toContain(TOKEN.slice(4));
    expect(JSON.parse(line)).toMatchObject({ msg: 'test.happened' });
  });

  test.each([
    ['an API token', 'inbox_pk_live_'],
    ['an API token of a test workspace', 'acme_pk_test_'],
    ['the secret of a webhook', 'whsec_'],
  ])('%s is cut', (_what, start) => {
    const line = lineOf({ path: `/api/v1/contacts/${start}MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw` });
    expect(line).toContain(`/api/v1/contacts/${start}…"`);
  });

  test('ids and everything else are unchanged', () => {
    const values = {
      connectionId: '01a1fe08-26c9-701b-a6d2-1ac12d5c02f6',
      reason: 'code_reused',
      status: 400,
    };
    expect(JSON.parse(lineOf(values))).toMatchObject(values);
  });
});
