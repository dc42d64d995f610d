import { describe, expect, test } from 'vitest';
import { connectionMail, tokenMail } from '#server/administration/notifications/notification-mails.ts';
import { type ConnectionNotification, NOTIFIED_ENDS } from '#server/teammates/notification-content.ts';

const data = { connectionId: '01a1fe08-26c9-701b-a6d2-1ac12d5c02f6', teammateName: 'Ada Admin' };

const mail = (content: ConnectionNotification) =>
  connectionMail({
    content,
    at: new Date('2026-11-21T14:05:59.999Z'),
    recipientName: 'Olivia Owen',
    workspaceName: 'Acme',
    platformName: 'Workflow Platform',
    serviceName: 'Shared Inbox',
    integrationsUrl: 'https://inbox.test/settings/integrations',
  });

test('a new connection: the teammate, the time, the consequence and what to do', () => {
  const { subject, text } = mail({ kind: 'connection_started', data });
  expect(subject).toBe('Ada Admin connected Workflow Platform to Acme');
  expect(text).toBe(`Hello Olivia Owen,

Ada Admin connected Workflow Platform to Acme on 21 November 2026 at 14:05 UTC.

What it means: Workflow Platform can read and change contacts and conversations of Acme and reply to contacts on behalf of Ada Admin.

What to do: nothing, if you expected this. If not, disconnect it in Settings > Integrations, and ask Ada Admin about it.

See all connections, and why others ended:
https://inbox.test/settings/integrations

You are receiving this because you are an owner of Acme.
Shared Inbox
`);
});

test('a new API token: who created it, its abilities in words and what to do, but not the token', () => {
  const { subject, text } = tokenMail({
    content: {
      kind: 'api_token_created',
      data: {
        tokenId: data.connectionId,
        label: 'Warehouse sync',
        abilities: ['write_contacts', 'read', 'from_a_newer_version'],
        byName: 'Ada Admin',
      },
    },
    at: new Date('2026-11-21T14:05:59.999Z'),
    recipientName: 'Olivia Owen',
    workspaceName: 'Acme',
    serviceName: 'Shared Inbox',
    developersUrl: 'https://inbox.test/settings/developers',
  });
  expect(subject).toBe('Ada Admin created an API token for Acme');
  expect(text).toBe(`Hello Olivia Owen,

Ada Admin created the API token “Warehouse sync” for Acme on 21 November 2026 at 14:05 UTC.

What it means: a program with this token can act in Acme. It has these abilities: Read, Write contacts.

What to do: nothing, if you expected this. If not, revoke the token, and ask Ada Admin about it:
https://inbox.test/settings/developers

You are receiving this because you are an owner of Acme.
Shared Inbox
`);
});

describe('a disconnected connection', () => {
  test('that the platform revoked: the time, the reason, the consequence and what to do', () => {
    const { subject, text } = mail({
      kind: 'connection_ended',
      data: { ...data, reason: 'revoked_by_platform' },
    });
    expect(subject).toBe('Ada Admin’s connection to Acme was disconnected in Workflow Platform');
    expect(text).toBe(`Hello Olivia Owen,

Ada Admin’s connection to Acme was disconnected in Workflow Platform on 21 November 2026 at 14:05 UTC.

What it means: Workflow Platform can no longer act on behalf of Ada Admin there, and the workflows of this connection receive no more events. Other connections work as before.

What to do: If you still need it, connect again in Workflow Platform.

See all connections, and why others ended:
https://inbox.test/settings/integrations

You are receiving this because you are an owner of Acme.
Shared Inbox
`);
  });

  test.each([
    ['teammate_left', 'Ada Admin is no longer in this workspace.'],
    ['teammate_deleted', 'The account of Ada Admin was deleted.'],
    ['not_allowed', 'Ada Admin is no longer an owner or admin.'],
    ['code_reused', 'presented its authorization code a second time. Someone else may have seen that code'],
  ] as const)('%s: the reason and what to do', (reason, why) => {
    const { text } = mail({ kind: 'connection_ended', data: { ...data, reason } });
    expect(text).toContain(why);
    expect(text).toMatch(/What to do: .+ in Workflow Platform\./);
  });

  test('is explained without technical terms, whatever the reason', () => {
    for (const reason of NOTIFIED_ENDS) {
      const { text } = mail({ kind: 'connection_ended', data: { ...data, reason } });
      expect(text).not.toMatch(/webhook|payload|null|grant|token|OAuth|undefined/i);
    }
  });
});
