import { expect, test } from 'vitest';
import { serviceSender } from '#server/core/mail/service-mail.ts';
import { setTestSettings } from '#test/servers/settings.ts';

/** Returns the sender with these settings. */
function senderWith(settings: Record<string, string>) {
  setTestSettings(settings);
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
