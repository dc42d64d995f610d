import { afterEach, expect, test } from 'vitest';
import { parseSettings, type Settings } from '#server/core/env.ts';
import { serviceSender } from '#server/core/mail/service-mail.ts';

const shared = globalThis as typeof globalThis & { serviceSettings?: Settings };
afterEach(() => {
  delete shared.serviceSettings;
});

/** Returns the sender with these settings. */
function senderWith(settings: Record<string, string>) {
  shared.serviceSettings = parseSettings({
    DATABASE_URL: 'postgresql://inbox@db.test/inbox',
    PLATFORM_CLIENT_ID: 'platform',
    PLATFORM_CLIENT_SECRET: 'a secret',
    PLATFORM_RETURN_URL: 'https://platform.test/return/',
    HOOKS_HOST: 'hooks.platform.test',
    SESSION_SECRET: 'x'.repeat(32),
    ...settings,
  });
  return serviceSender();
}

test.each([
  ['https://inbox.example.com', 'no-reply@inbox.example.com'],
  ['https://inbox.example.com:8443/', 'no-reply@inbox.example.com'],
  ['http://localhost:3000', 'no-reply@localhost'],
  ['http://192.168.1.5:3000', 'no-reply@localhost'],
  ['http://[::1]:3000', 'no-reply@localhost'],
])('the service at %s sends as %s', (BASE_URL, address) => {
  expect(senderWith({ BASE_URL })).toEqual({ name: 'Shared Inbox', address });
});

test('MAIL_FROM overrides the sender', () => {
  expect(senderWith({ MAIL_FROM: 'alerts@example.com', SERVICE_NAME: 'Acme Desk' })).toEqual({
    name: 'Acme Desk',
    address: 'alerts@example.com',
  });
});
