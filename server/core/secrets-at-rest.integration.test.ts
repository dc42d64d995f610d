import { describe, expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { digest } from '#server/core/secrets.ts';
import { test } from '#test/fixtures/secret-journey-test.ts';
import { tablesWith } from '#test/servers/tables-with.ts';

describe('RFC 6819 §5.1.4.1: the attacker who reads the database finds nothing to use', () => {
  test('no table contains codes, tokens or the secret of a consent form, as text or bytes', async ({
    journey,
  }) => {
    const others = Object.entries(journey.secrets).filter(([name]) => !name.endsWith('session'));
    expect(others).toHaveLength(12);
    for (const [name, secret] of others) {
      expect(secret.length, name).toBeGreaterThan(10);
      expect(await found(secret), name).toEqual([]);
      expect(await found(hexOf(secret)), name).toEqual([]);
      expect(await found(Buffer.from(secret).toString('base64').replace(/.=*$/, '')), name).toEqual([]);
    }
    expect(await found('kz[acr]_[0-9A-Za-z]{20}')).toEqual([]);
  });

  test('this search would find them: it finds their digests', async ({ journey }) => {
    const stored = {
      'first code': 'authorization_codes',
      'second replaced access token': 'access_tokens',
      'first refresh token': 'refresh_tokens',
      'first form secret': 'consent_forms',
    };
    for (const [name, table] of Object.entries(stored)) {
      expect(await found(hexOf(digest(journey.secrets[name] ?? '')))).toEqual([`public.${table}`]);
    }
    expect(await found('Olivia Owen')).toContain('public.connections');
  });
});

describe('docs/rulings.md 4.11: the attacker who reads the log finds nothing to use', () => {
  test('a server logs and prints no secret, not even with an error', ({ journey }) => {
    const log = journey.written.join('\n');
    for (const line of [
      'oauth.approved',
      'oauth.token_issued',
      'oauth.refused',
      'oauth.failed',
      'connection.started',
      'connection.ended',
      'api.answered',
      'api.failed',
      'limit.failed',
    ]) {
      expect(log, line).toContain(line);
    }
    expectNoSecret(log, journey);
  });

  test.for([
    {
      name: 'the other server',
      process: 'server' as const,
      lines: ['oauth.token_issued', 'oauth.refused', 'oauth.failed', 'api.answered', 'api.failed'],
    },
    {
      name: 'the worker',
      process: 'worker' as const,
      lines: ['delivery.attempted', 'notification.mailed'],
    },
  ])('$name logs and prints no secret', ({ process, lines }, { journey }) => {
    const output = journey.outputOf[process]();
    for (const line of lines) expect(output, line).toContain(line);
    expectNoSecret(output, journey);
  });

  test('the start and end of a connection are log lines with its ids and the reason', ({ journey }) => {
    const lines = journey.written
      .flatMap((chunk) => chunk.split('\n'))
      .filter((line) => /"connection\.(started|ended)"/.test(line))
      .map((line) => JSON.parse(line));
    const ids = { connectionId: expect.any(String), workspaceId: expect.any(String) };
    expect(lines).toContainEqual(
      expect.objectContaining({ ...ids, userId: expect.any(String), msg: 'connection.started' }),
    );
    for (const reason of ['code_reused', 'revoked_by_platform']) {
      expect(lines).toContainEqual(expect.objectContaining({ ...ids, reason, msg: 'connection.ended' }));
    }
  });

  test('no mail or delivered event contains a secret', ({ journey }) => {
    expect(journey.mails.length).toBeGreaterThan(0);
    const mails = journey.mails.map(({ raw, email }) => `${raw} ${email.text}`);
    expectNoSecret(mails.join('\n'), journey);
    const deliveries = journey.deliveries.map(({ headers, body }) => `${JSON.stringify(headers)} ${body}`);
    expectNoSecret(deliveries.join('\n'), journey);
  });
});

const found = (pattern: string) => tablesWith(pool(), pattern);
const hexOf = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('hex');

function expectNoSecret(text: string, { secrets }: { secrets: Record<string, string> }): void {
  for (const [name, secret] of Object.entries(secrets)) {
    expect(text.includes(secret), name).toBe(false);
    expect(text.includes(hexOf(secret)), `${name}, as bytes`).toBe(false);
    expect(text.includes(encodeURIComponent(secret)), `${name}, encoded`).toBe(false);
  }
  expect(text).not.toMatch(/kz[acr]_[0-9A-Za-z]{20}/);
  for (const leaked of ['only-the-platform-knows', 'the-state-of-the-platform', 'session_token=']) {
    expect(text).not.toContain(leaked);
  }
}
