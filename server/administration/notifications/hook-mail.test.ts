import { describe, expect, test } from 'vitest';
import { hookMail } from '#server/administration/notifications/notification-mails.ts';
import type { HookNotification } from '#server/teammates/notification-content.ts';

const URL_OF_INTEGRATIONS = 'https://inbox.test/settings/integrations';
const data = {
  hookId: '01a1fe08-26c9-701b-a6d2-1ac12d5c02f6',
  event: 'conversation.tagged',
  since: '2026-11-21T14:05:59.999Z',
} as const;

const mail = (content: HookNotification, names = { filter: 'vip', teammateName: 'Ada Admin' }) =>
  hookMail({
    content,
    at: new Date('2026-11-22T09:30:00.000Z'),
    recipientName: 'Olivia Owen',
    workspaceName: 'Acme',
    names,
    platformName: 'Workflow Platform',
    serviceName: 'Shared Inbox',
    integrationsUrl: URL_OF_INTEGRATIONS,
  });

test('a failing workflow: the error, since when, the consequence and what to do', () => {
  const { subject, text } = mail({ kind: 'hook_failing', data: { ...data, count: 25, lastStatus: 500 } });
  expect(subject).toBe('A workflow of Acme is failing: 25 events in a row');
  expect(text).toBe(`Hello Olivia Owen,

The last 25 events for a workflow of Acme all failed: Workflow Platform answered with an error. The status of the last response was 500.

Workflow: Conversation Tagged (vip), connected by Ada Admin
Failing since: 21 November 2026 at 14:05 UTC

What it means: these events are not sent again automatically. New events are still sent. After 50 failures in a row the workflow stops receiving events.

What to do: find out in Workflow Platform what is wrong with the workflow, and fix it. The first event that gets through resets the count. Events that failed can then be sent again.

See the events sent and the responses:
${URL_OF_INTEGRATIONS}

You are receiving this because you are an owner or admin of Acme.
Shared Inbox
`);
});

test('gives the number of failures, and leaves out a missing response status', () => {
  const { subject, text } = mail({ kind: 'hook_failing', data: { ...data, count: 40, lastStatus: null } });
  expect(subject).toBe('A workflow of Acme is failing: 40 events in a row');
  expect(text).toContain('The last 40 events');
  expect(text).not.toContain('status of the last response');
});

describe('a removed workflow', () => {
  test('that failed too often: when, since when it failed, and how to receive events again', () => {
    const { subject, text } = mail({ kind: 'hook_removed', data: { ...data, reason: 'failing' } });
    expect(subject).toBe('A workflow of Acme no longer receives events');
    expect(text).toContain(
      'A workflow of Acme was removed and no longer receives events. 50 events in a row failed',
    );
    expect(text).toContain(
      'Removed: 22 November 2026 at 09:30 UTC\nFailing since: 21 November 2026 at 14:05 UTC\n',
    );
    expect(text).toContain(
      'What to do: Fix the workflow, then turn it off and on again in Workflow Platform.',
    );
  });

  test('that the platform reported gone: earlier failures are not mentioned', () => {
    const { text } = mail({ kind: 'hook_removed', data: { ...data, since: null, reason: 'gone' } });
    expect(text).toContain('Workflow Platform reported that this workflow is gone');
    expect(text).not.toContain('Failing since');
  });
});
