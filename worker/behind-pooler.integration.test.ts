import { describe, expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { addMember, makeConnection, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { makeManagerNotifications } from '#test/fixtures/hook-notifications.ts';
import { CONNECTIONS, test } from '#test/fixtures/pooler-test.ts';
import { until } from '#test/fixtures/until.ts';
import { PGBOUNCER } from '#test/servers/pgbouncer.ts';

describe.skipIf(PGBOUNCER === undefined)('behind a pooler in transaction mode', () => {
  test('no session setting leaks into the next user of a connection', async () => {
    const read = () =>
      pool().query<{ pid: number; limit: string }>(
        `select pg_backend_pid() as pid, current_setting('statement_timeout') as limit`,
      );
    const rows = (await Promise.all(Array.from({ length: 50 }, read))).flatMap((result) => result.rows);
    expect(new Set(rows.map(({ pid }) => pid)).size).toBeLessThanOrEqual(CONNECTIONS);
    expect(new Set(rows.map(({ limit }) => limit))).toEqual(new Set(['0']));
  });

  test('40 concurrent API calls succeed, and their events and mails are sent once each', async ({
    service,
    receiver,
    mail,
    worker: _,
  }) => {
    const connection = await makeConnection({ plan: 'growth' });
    await makeHook(connection);
    const api = apiClient(service.url, connection.accessToken);
    const create = (number: number) =>
      api('POST', '/conversations', {
        to_email: `contact-${number}@example.com`,
        to_name: `Contact ${number}`,
        subject: 'Order',
        content: `Hello ${number}`,
      });
    const responses = await Promise.all(Array.from({ length: 40 }, (_, number) => create(number)));
    expect(responses.map(({ status }) => status)).toEqual(Array(40).fill(201));
    await until('all are delivered', () => receiver.received.length >= 40);
    await until('all mails arrived', () => mail.received.length >= 40);
    await until('all results are recorded', async () => {
      const ended = await db().delivery.count({ where: { outcome: 'delivered' } });
      const sent = await db().message.count({ where: { sendStatus: 'sent' } });
      return ended === 40 && sent === 40;
    });
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(40);
    expect(new Set(mail.received.flatMap(({ to }) => to)).size).toBe(40);
  });

  test('managers are mailed under session locks, and only the worker’s lease locks remain', async ({
    mail,
    worker: _,
  }) => {
    const workspaceId = (await makeWorkspace()).id;
    const owner = await makeUser();
    await addMember(workspaceId, owner.id, 'owner');
    await makeManagerNotifications(workspaceId);
    await until('the mail arrived', () => mail.received.some(({ to }) => to.includes(owner.email)));
    await until('all other locks are released', async () => {
      const [row] = await db().$queryRaw<[{ locks: number }]>`
        select count(*)::int as locks from pg_locks l join pg_stat_activity a using (pid)
        where l.locktype = 'advisory' and a.datname = current_database() and a.application_name not like 'lease-%'`;
      return row.locks === 0;
    });
  });

  test('an open page is notified of a change', async ({ service, worker: _ }) => {
    const workspaceId = (await makeWorkspace()).id;
    const user = await makeUser();
    await addMember(workspaceId, user.id, 'owner');
    const breakOff = new AbortController();
    const response = await fetch(`${service.url}/live`, {
      headers: { cookie: await signInAs(service.url, user) },
      signal: breakOff.signal,
    });
    let text = '';
    const reading = (async () => {
      const reader = response.body?.getReader();
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
        text += Buffer.from(part.value).toString();
      }
    })().catch(() => undefined);
    await until('the page is notified', async () => {
      await makeManagerNotifications(workspaceId);
      return text.includes('event: changed\ndata: notifications');
    });
    breakOff.abort();
    await reading;
  });

  test('workers are notified of new jobs instead of polling', async ({ worker: _ }) => {
    const { rows } = await pool().query<{ listening: number }>(
      `select count(*)::int as listening from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and query like '%jobs:insert%'`,
    );
    expect(rows[0]?.listening).toBeGreaterThanOrEqual(1);
  });
});
