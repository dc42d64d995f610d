import { Writable } from 'node:stream';
import type { LoggerOptions, pino as Pino } from 'pino';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { log } from '#server/ground/log.ts';
import { setTestSettings } from '#test/settings.ts';

const written = vi.hoisted(() => ({ lines: [] as string[] }));
vi.mock('pino', async (importOriginal) => {
  const { default: pino } = await importOriginal<{ default: typeof Pino }>();
  const write = (chunk: unknown, _encoding: string, done: () => void) => {
    written.lines.push(String(chunk));
    done();
  };
  const logger = (options: LoggerOptions) => pino(options, new Writable({ write }));
  return { default: Object.assign(logger, { destination: () => undefined }) };
});
setTestSettings({ LOG_LEVEL: 'trace' });
beforeEach(() => {
  written.lines.length = 0;
});

const TOKEN = `kza_${'aB3'.repeat(14)}x`;
const lineOf = (values: object) => {
  log().info(values, 'test.happened');
  return written.lines.join('');
};

describe('decisions, OAuth 11: a secret that reaches the log all the same is not written', () => {
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
  ])('under the name %s, whatever it is', (name) => {
    expect(lineOf({ [name]: 'hidden', request: { [name]: 'hidden' } })).not.toContain('hidden');
  });

  test.each([
    ['an address', { path: `/api/automation/v1/hooks/${TOKEN}` }],
    ['an error', { err: new Error(`No record ${TOKEN}.`) }],
    ['a list', { values: [TOKEN, TOKEN] }],
    ['a name', { [TOKEN]: 1 }],
  ])('within %s: what looks like a code or token is cut off', (_where, values) => {
    const line = lineOf(values);
    expect(line).toContain('kza_…');
    expect(line).not.toContain(TOKEN.slice(4));
    expect(JSON.parse(line)).toMatchObject({ msg: 'test.happened' });
  });

  test('while ids and everything else are written as they are', () => {
    const values = {
      connectionId: '01a1fe08-26c9-701b-a6d2-1ac12d5c02f6',
      reason: 'code_reused',
      status: 400,
    };
    expect(JSON.parse(lineOf(values))).toMatchObject(values);
  });
});
