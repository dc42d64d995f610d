import { expect, test } from 'vitest';
import { channelMail, storageMail } from '#server/administration/notifications/notification-mails.ts';

const facts = {
  recipientName: 'Olivia',
  workspaceName: 'Acme',
  serviceName: 'Shared Inbox',
  channelsUrl: 'https://inbox.test/settings/channels',
};
const account = {
  accountId: '01a2019f-87f2-760d-8a68-b5c7a2872446',
  channel: 'slack',
  accountName: 'Acme Support',
} as const;

test('names the account to reconnect, the reason, the consequence and the page', () => {
  const why = 'Slack no longer accepts the token.';
  expect(
    channelMail({ ...facts, content: { kind: 'channel_reconnect', data: { ...account, why } } }),
  ).toEqual({
    subject: 'Slack of Acme needs to be connected again',
    text: `Hello Olivia,

The Slack account Acme Support of Acme needs to be connected again. Slack no longer accepts the token.

What it means: Until it is connected again, replies fail and messages from contacts may not arrive.

What to do: connect the account again with a new token:
https://inbox.test/settings/channels

You are receiving this because you are an owner or admin of Acme.
Shared Inbox
`,
  });
});

test('warns before the access expires', () => {
  const data = { ...account, expiresAt: '2026-12-01T10:00:00+00:00' };
  const { subject, text } = channelMail({ ...facts, content: { kind: 'channel_expiring', data } });
  expect(subject).toBe('Slack of Acme needs to be connected again soon');
  expect(text).toContain('The access to the Slack account Acme Support of Acme ends on 1 December 2026');
});

test('names the account that could not receive a message, and the page to try again', () => {
  const { subject, text } = channelMail({
    ...facts,
    content: { kind: 'channel_update_failed', data: account },
  });
  expect(subject).toBe('Slack of Acme could not receive a message');
  expect(text).toContain('to the Slack account Acme Support of Acme could not be received');
  expect(text).toContain(
    `What to do: try again, and ask the operator of this service if that does not help:\n${facts.channelsUrl}`,
  );
});

test('says how much storage is used, the consequence and the page', () => {
  const { recipientName, workspaceName, serviceName } = facts;
  const content = {
    kind: 'storage_low',
    data: { usedBytes: 4_049_000_000, quotaBytes: 5_000_000_000 },
  } as const;
  const storageUrl = 'https://inbox.test/settings/web-chat';
  const { subject, text } = storageMail({ content, recipientName, workspaceName, serviceName, storageUrl });
  expect(subject).toBe('The storage of Acme is 80 % full');
  expect(text).toContain('80 % of the storage of Acme');
  expect(text).toContain(storageUrl);
});
