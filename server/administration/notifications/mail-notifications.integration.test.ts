import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { mailNotifications } from '#server/administration/notifications/mail-notifications.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { failWrites } from '#test/faults/fail-writes.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { failingHook, makeManagerNotifications, makeTeam } from '#test/fixtures/hook-notifications.ts';
import { test as baseTest } from '#test/fixtures/mail-test.ts';
import { timed } from '#test/fixtures/timed.ts';
import { until } from '#test/fixtures/until.ts';

const test = baseTest.extend('settings', { scope: 'file' }, () => ({ MAIL_FROM: 'alerts@inbox.test' }));

test('each owner and admin gets an email from the service, and the notification is marked as emailed', async ({
  mail,
  connection,
}) => {
  const hook = await makeHook(connection);
  const [row] = await makeManagerNotifications(connection.workspaceId, failingHook(hook.id));
  await mailNotifications(row ? [row.id] : []);
  expect(mail.received).toHaveLength(1);
  const [received] = mail.received;
  expect(received?.from).toBe('alerts@inbox.test');
  expect(received?.to).toEqual([connection.teammate.email]);
  expect(received?.email).toMatchObject({
    from: { name: 'Shared Inbox', address: 'alerts@inbox.test' },
    messageId: `<${row?.id}@inbox.test>`,
    subject: 'A workflow of Acme is failing: 25 events in a row',
  });
  expect(received?.email.text).toContain('Workflow: New Conversation, connected by Olivia Owen\n');
  expect(received?.email.text).toContain('http://inbox.test/settings/integrations\n');
  expect(received?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(await mailedAt(row ? [row] : [])).toEqual([expect.any(Date)]);
});

test('only current owners are emailed about a connection', async ({ mail }) => {
  const { workspaceId, teammates } = await makeTeam(['owner', 'owner', 'admin']);
  const [owner, former] = teammates;
  const data = { connectionId: randomUUID(), teammateName: 'Ada Admin', reason: 'not_allowed' } as const;
  const rows = await makeManagerNotifications(workspaceId, { kind: 'connection_ended', data });
  expect(rows.map(({ userId }) => userId).sort()).toEqual([owner?.id, former?.id].sort());
  await db().member.updateMany({
    where: { workspaceId, userId: former?.id ?? '' },
    data: { role: 'admin' },
  });
  await mailNotifications(ids(rows));
  expect(recipients(mail)).toEqual([owner?.email]);
  expect(mail.received[0]?.email).toMatchObject({
    subject: 'A connection between Acme and Workflow Platform ended',
    text: expect.stringContaining('Ada Admin is no longer an owner or admin.'),
  });
  expect(mail.received[0]?.email.text).toContain('http://inbox.test/settings/integrations\n');
  await mailNotifications(ids(rows));
  expect(mail.received).toHaveLength(1);
});

describe('each email is sent once', () => {
  test('when the job runs twice', async ({ mail }) => {
    const rows = await makeManagerNotifications((await makeTeam(['owner', 'admin'])).workspaceId);
    await mailNotifications(ids(rows));
    await mailNotifications(ids(rows));
    expect(recipients(mail)).toEqual(emails(rows));
  });

  test('when several workers run it at the same time; a worker that finds it in progress retries later', async ({
    mail,
  }) => {
    const rows = await makeManagerNotifications((await makeTeam(['owner', 'admin', 'admin'])).workspaceId);
    const release = Promise.withResolvers<void>();
    mail.respond(() => release.promise);
    const first = mailNotifications(ids(rows));
    await until('the emails are in flight', () => mail.received.length === 3);
    await expect(mailNotifications(ids(rows))).rejects.toThrow(
      '3 of 3 notifications could not be mailed yet.',
    );
    release.resolve();
    await first;
    await mailNotifications(ids(rows));
    expect(recipients(mail)).toEqual(emails(rows));
  });

  test('when several jobs start simultaneously', async ({ mail }) => {
    const rows = await makeManagerNotifications(
      (await makeTeam(['owner', 'admin', 'admin', 'admin'])).workspaceId,
    );
    await Promise.allSettled(Array.from({ length: 5 }, () => mailNotifications(ids(rows))));
    expect(recipients(mail)).toEqual(emails(rows));
    await mailNotifications(ids(rows));
    expect(recipients(mail)).toEqual(emails(rows));
  });
});

describe('a mail server that refuses', () => {
  test('one recipient fails the job, and a retry sends only that email', async ({ mail }) => {
    const rows = await makeManagerNotifications((await makeTeam(['owner', 'admin', 'admin'])).workspaceId);
    const refused = rows[1];
    mail.respond(({ to }) => {
      if (to[0] === refused?.email) throw new Error('Not now.');
    });
    await expect(mailNotifications(ids(rows))).rejects.toThrow(
      '1 of 3 notifications could not be mailed yet.',
    );
    expect((await mailedAt(rows)).filter((at) => at === null)).toHaveLength(1);
    expect(recipients(mail)).toEqual(emails(rows));
    mail.received.length = 0;
    mail.respond();
    await mailNotifications(ids(rows));
    expect(recipients(mail)).toEqual([refused?.email]);
    expect(await mailedAt(rows)).not.toContain(null);
  });

  test('every recipient leaves no lock behind', async ({ mail }) => {
    const rows = await makeManagerNotifications((await makeTeam(['owner'])).workspaceId);
    mail.respond(() => {
      throw new Error('Not now.');
    });
    for (let i = 0; i < 3; i += 1) {
      await expect(mailNotifications(ids(rows))).rejects.toThrow(
        '1 of 1 notifications could not be mailed yet.',
      );
    }
    expect(mail.received).toHaveLength(3);
    const locks = `select from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and d.datname = current_database()`;
    expect((await pool().query(locks)).rowCount).toBe(0);
  });
});

test('a database that does not tell whether it is a test workspace fails the job, and a retry sends each email once', async ({
  mail,
}) => {
  const rows = await makeManagerNotifications((await makeTeam(['owner', 'admin'])).workspaceId);
  const succeed = await failWrites(['outbox_messages'], { message: 'the disk is full' });
  await expect(mailNotifications(ids(rows))).rejects.toThrow('2 of 2 notifications could not be mailed yet.');
  await succeed();
  expect(recipients(mail)).toEqual([]);
  await mailNotifications(ids(rows));
  await mailNotifications(ids(rows));
  expect(recipients(mail)).toEqual(emails(rows));
});

test('a hanging mail server does not keep the job past the grace period of a stopping worker', async ({
  mail,
}) => {
  const rows = await makeManagerNotifications((await makeTeam(Array(7).fill('admin'))).workspaceId);
  const release = Promise.withResolvers<void>();
  mail.respond(() => release.promise);
  const hanging = await timed(() =>
    expect(mailNotifications(ids(rows))).rejects.toThrow('7 of 7 notifications could not be mailed yet.'),
  );
  expect(mail.received).toHaveLength(5);
  release.resolve();
  mail.respond();
  // Control: the same work without the wait, because a busy machine slows down both.
  const control = await timed(() => mailNotifications(ids(rows)));
  expect(hanging.ms).toBeLessThan(20_000 + 3 * control.ms);
  expect(await mailedAt(rows)).not.toContain(null);
});

describe('no email is sent', () => {
  test('to a teammate who left the workspace or is no longer an owner or admin', async ({ mail }) => {
    const { workspaceId, teammates } = await makeTeam(['owner', 'admin', 'admin']);
    const [owner, left, demoted] = teammates;
    const rows = await makeManagerNotifications(workspaceId);
    await db().member.deleteMany({ where: { workspaceId, userId: left?.id ?? '' } });
    await db().member.updateMany({
      where: { workspaceId, userId: demoted?.id ?? '' },
      data: { role: 'agent' },
    });
    await mailNotifications(ids(rows));
    expect(recipients(mail)).toEqual([owner?.email]);
  });

  test('about notifications that only the app shows', async ({ mail }) => {
    const { workspaceId, teammates } = await makeTeam(['owner']);
    const row = await db().notification.create({
      data: { workspaceId, userId: teammates[0]?.id ?? '', kind: 'assigned', data: { byName: null } },
    });
    await mailNotifications([row.id]);
    expect(recipients(mail)).toEqual([]);
  });

  test('about notifications that were deleted', async ({ mail }) => {
    await mailNotifications(['01a1fe08-26c9-701b-a6d2-1ac12d5c02f6']);
    expect(recipients(mail)).toEqual([]);
  });
});

const recipients = (mail: { received: { to: string[] }[] }) => mail.received.flatMap(({ to }) => to).sort();

const emails = (rows: { email: string }[]) => rows.map(({ email }) => email);
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);

const mailedAt = async (rows: { id: string }[]) =>
  (await db().notification.findMany({ where: { id: { in: ids(rows) } } })).map(({ emailedAt }) => emailedAt);
