import { randomUUID } from 'node:crypto';
import { describe, expect, vi } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { log } from '#server/core/log.ts';
import { removeConversation } from '#server/inbox/conversations/removal.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { askForRating } from '#server/inbox/ratings/ask-for-rating.ts';
import { rateByLink } from '#server/inbox/ratings/rate-conversation.ts';
import { parseRatingToken, ratingToken } from '#server/inbox/ratings/rating-link.ts';
import { getRating } from '#server/screens/rating.ts';
import { recordedEventsOf } from '#test/database/recorded-events.ts';
import { failWrites } from '#test/faults/fail-writes.ts';
import type { makeConnection } from '#test/fixtures/factories.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { test as mailTest } from '#test/fixtures/mail-test.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { allMoved } from '#test/fixtures/queued-jobs.ts';
import { until } from '#test/fixtures/until.ts';

const test = mailTest.extend('email', () => `${randomUUID()}@example.com`);

describe('a rating request by email', () => {
  test('is queued once, ten minutes after the conversation was last solved', async ({
    connection,
    email,
  }) => {
    const id = await write(connection, email, { externalId: '<first@example.com>' });
    await update(connection, id, 'solved');
    await update(connection, id, 'open');
    const before = Date.now();
    await update(connection, id, 'solved');
    const after = Date.now();
    const [job, ...others] = (await askedJobs()).filter(({ key }) => key.endsWith(id));
    expect([job?.key, others]).toEqual([`ask-for-rating:${id}`, []]);
    // Dates have millisecond precision, the database's timestamps microseconds.
    expect(Number(job?.runAt)).toBeGreaterThanOrEqual(before + 600_000 - 1);
    expect(Number(job?.runAt)).toBeLessThanOrEqual(after + 600_000 + 1);
  });

  test('is sent once in the thread, with a link for each score, also by parallel workers', async ({
    mail,
    connection,
    email,
  }) => {
    const id = await write(connection, email, { externalId: '<second@example.com>' });
    await update(connection, id, 'solved');
    await Promise.all([askForRating(id), askForRating(id), askForRating(id)]);
    await askForRating(id);
    const [asked, ...more] = mail.sentTo(email);
    expect(more).toEqual([]);
    expect(asked?.email.subject).toBe('How did we do with “My order”?');
    expect(asked?.email.inReplyTo).toBe('<second@example.com>');
    expect(asked?.raw).toContain('Auto-Submitted: auto-replied');
    expect(asked?.raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(asked?.email.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toBe(
      `<http://inbox.test/unsubscribe/${ratingToken({ workspaceId: connection.workspaceId, conversationId: id })}>`,
    );
    const token = ratingToken({ workspaceId: connection.workspaceId, conversationId: id });
    for (const score of [1, 2, 3, 4, 5]) {
      expect(asked?.email.text).toContain(`http://inbox.test/rate/${token}?score=${score}`);
    }
    expect((await db().conversation.findUniqueOrThrow({ where: { id } })).ratingAskedAt).toBeInstanceOf(Date);
  });

  test('is sent by a retry once the mail server accepts mail again, after any number of retries', async ({
    mail,
    connection,
    email,
  }) => {
    const id = await write(connection, email);
    await update(connection, id, 'solved');
    mail.respond(() => {
      throw Object.assign(new Error('Try again later'), { responseCode: 451 });
    });
    for (let i = 0; i < 6; i += 1)
      await expect(askForRating(id)).rejects.toMatchObject({ kind: 'temporary' });
    mail.received.length = 0;
    mail.respond();
    await askForRating(id);
    await askForRating(id);
    expect(mail.sentTo(email)).toHaveLength(1);
  });

  test('is sent once by a retry after the database did not tell whether the workspace is a test workspace', async ({
    mail,
    connection,
    email,
  }) => {
    const id = await write(connection, email);
    await update(connection, id, 'solved');
    const succeed = await failWrites(['outbox_messages'], { message: 'the disk is full' });
    await expect(askForRating(id)).rejects.toMatchObject({ kind: 'temporary' });
    await succeed();
    expect(mail.sentTo(email)).toEqual([]);
    await askForRating(id);
    await askForRating(id);
    expect(mail.sentTo(email)).toHaveLength(1);
  });

  test('is sent once by a retry after an outage of minutes that began between the mark and the email', async ({
    mail,
    connection,
    email,
    onTestFinished,
  }) => {
    const id = await write(connection, email);
    await update(connection, id, 'solved');
    const message = 'terminating connection due to administrator command';
    const ends = [
      await failWrites(['outbox_messages'], { message }),
      await failWrites(['conversations'], {
        on: 'update',
        when: 'old.rating_asked_at is not null and new.rating_asked_at is null',
        message,
        code: '57P01',
      }),
    ];
    const retries = vi.spyOn(log(), 'debug').mockClear();
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
      retries.mockRestore();
    });
    const asked = expect(askForRating(id)).rejects.toMatchObject({ kind: 'temporary' });
    for (let minute = 1; minute <= 3; minute += 1) {
      await until('it is still tried', () => retries.mock.calls.length > 0);
      vi.advanceTimersByTime(60_000);
      retries.mockClear();
    }
    for (const end of ends) await end();
    await asked;
    expect(mail.sentTo(email)).toEqual([]);
    await askForRating(id);
    await askForRating(id);
    expect(mail.sentTo(email)).toHaveLength(1);
  });

  test('is not sent again after the mail server refused it', async ({ mail, connection, email }) => {
    const id = await write(connection, email);
    await update(connection, id, 'solved');
    mail.respond(() => {
      throw new Error('No such user');
    });
    await askForRating(id);
    mail.respond();
    await askForRating(id);
    expect(mail.sentTo(email)).toHaveLength(1);
  });

  test.for<[string, (id: string, connection: Connection, email: string) => Promise<unknown>]>([
    ['the conversation was reopened', (id, connection) => update(connection, id, 'open')],
    [
      'the conversation was merged',
      async (id, connection, email) => mergeAs(connection, id, await write(connection, email)),
    ],
    [
      'the workspace does not ask for ratings',
      (_id, { workspaceId }) =>
        db().workspace.update({ where: { id: workspaceId }, data: { askForRating: false } }),
    ],
    [
      'the email domain is not verified',
      (_id, { workspaceId }) =>
        db().emailDomain.updateMany({ where: { workspaceId }, data: { verifiedAt: null } }),
    ],
    [
      'the contact has no address',
      (_id, { workspaceId }) => db().contact.updateMany({ where: { workspaceId }, data: { email: null } }),
    ],
    [
      'the contact unsubscribed',
      (_id, { workspaceId }) =>
        db().contact.updateMany({ where: { workspaceId }, data: { ratingsDeclinedAt: new Date() } }),
    ],
    ['a reply came back', (id, connection) => send(connection, id, { sendStatus: 'failed' })],
    [
      'a reply came back, and only the service wrote after it',
      async (id, connection) => {
        await send(connection, id, { sendStatus: 'failed' });
        await send(connection, id, { sendStatus: 'sent', authorKind: 'automatic' });
      },
    ],
    [
      'the conversation was already rated',
      (id, { workspaceId }) =>
        rateByLink({ token: ratingToken({ workspaceId, conversationId: id }), score: 5, comment: null }),
    ],
    [
      'the conversation is a test of the AI agent',
      (id) => db().conversation.update({ where: { id }, data: { isTest: true } }),
    ],
    [
      'the conversation is a web chat, which asks on its page',
      (id) => db().conversation.update({ where: { id }, data: { channel: 'webchat' } }),
    ],
  ])('is not sent when %s', async ([_why, change], { mail, connection, email }) => {
    const id = await write(connection, email);
    await update(connection, id, 'solved');
    await change(id, connection, email);
    await askForRating(id);
    expect(mail.sentTo(email)).toEqual([]);
    expect((await db().conversation.findUniqueOrThrow({ where: { id } })).ratingAskedAt).toBeNull();
  });

  test.for<[string, Sent[]]>([
    ['a reply came back, if a later one was sent', [{ sendStatus: 'failed' }, { sendStatus: 'sent' }]],
    [
      'a message of the service came back',
      [{ sendStatus: 'sent' }, { sendStatus: 'failed', authorKind: 'automatic' }],
    ],
  ])('is sent although %s', async ([_why, messages], { mail, connection, email }) => {
    const id = await write(connection, email);
    for (const message of messages) await send(connection, id, message);
    await update(connection, id, 'solved');
    await askForRating(id);
    expect(mail.sentTo(email)).toHaveLength(1);
  });
});

describe('the link of a rating request', () => {
  test('opens without a change, stores a rating and updates it when used again', async ({
    connection,
    email,
  }) => {
    const { conversationId, token } = await solved(connection, email);
    expect(await getRating(db(), token)).toEqual({
      kind: 'open',
      workspaceName: 'Acme',
      subject: 'My order',
    });
    expect(await ratings(connection)).toEqual([]);
    await rateByLink({ token, score: 2, comment: 'Slow' });
    await rateByLink({ token, score: 4, comment: '  ' });
    expect(await ratings(connection)).toMatchObject([
      { conversation: { id: conversationId }, rating: { score: 2, comment: 'Slow' } },
    ]);
    expect(await db().rating.findMany({ where: { conversationId } })).toMatchObject([
      { score: 4, comment: null },
    ]);
  });

  test('an attacker’s forged or changed token is refused', async ({ connection, email }) => {
    const { conversationId, token } = await solved(connection, email);
    const other = ratingToken({ workspaceId: connection.workspaceId, conversationId: randomUUID() });
    const mixed = Buffer.concat([
      Buffer.from(token, 'base64url').subarray(0, 32),
      Buffer.from(other, 'base64url').subarray(32),
    ]).toString('base64url');
    const flipped = `${token.slice(0, 60)}${token[60] === 'A' ? 'B' : 'A'}${token.slice(61)}`;
    for (const forged of [
      '',
      conversationId,
      mixed,
      flipped,
      `${token}A`,
      token.slice(0, -1),
      'ä'.repeat(86),
    ]) {
      expect(parseRatingToken(forged)).toBeUndefined();
      expect(await getRating(db(), forged)).toEqual({ kind: 'unknown' });
      await expect(rateByLink({ token: forged, score: 5, comment: null })).rejects.toMatchObject({
        refusal: 'not_found',
      });
    }
    expect(await ratings(connection)).toEqual([]);
  });

  test('is refused before the conversation was solved, and with an invalid score', async ({
    connection,
    email,
  }) => {
    const conversationId = await write(connection, email);
    const token = ratingToken({ workspaceId: connection.workspaceId, conversationId });
    expect(await getRating(db(), token)).toMatchObject({ kind: 'closed' });
    await expect(rateByLink({ token, score: 5, comment: null })).rejects.toMatchObject({
      refusal: 'invalid',
    });
    await update(connection, conversationId, 'solved');
    await expect(rateByLink({ token, score: 6, comment: null })).rejects.toMatchObject({
      refusal: 'invalid',
    });
  });

  test('is limited to ten ratings a minute', async ({ connection, email }) => {
    const { token } = await solved(connection, email);
    for (let i = 0; i < 10; i += 1) await rateByLink({ token, score: 3, comment: null });
    await expect(rateByLink({ token, score: 3, comment: null })).rejects.toMatchObject({
      message: expect.stringContaining('Wait a minute'),
    });
    expect(await ratings(connection)).toHaveLength(1);
  });

  test('expires 30 days after it was sent, and its page says so', async ({ connection, email }) => {
    const { conversationId, token } = await solved(connection, email);
    const mailed = (days: number) => db().$executeRaw`
      update conversations set rating_asked_at = now() - ${days} * interval '1 day' where id = ${conversationId}::uuid`;
    await mailed(29.9);
    expect(await getRating(db(), token)).toMatchObject({ kind: 'open' });
    await mailed(30.1);
    expect(await getRating(db(), token)).toEqual({ kind: 'ended', workspaceName: 'Acme' });
    await expect(rateByLink({ token, score: 5, comment: null })).rejects.toMatchObject({
      refusal: 'forbidden',
      message: 'This link has expired: it works for 30 days after it was sent.',
    });
    expect(await ratings(connection)).toEqual([]);
  });

  test('is refused once the conversation is deleted, and its page shows nothing of it', async ({
    connection,
    email,
  }) => {
    const { conversationId: id, token } = await solved(connection, email);
    const { workspaceId, teammate } = connection;
    await removeConversation({ workspaceId, id, to: 'deleted', actor: { kind: 'teammate', teammate } });
    expect(await getRating(db(), token)).toEqual({ kind: 'unknown' });
    await expect(rateByLink({ token, score: 5, comment: null })).rejects.toMatchObject({
      message: 'This conversation can no longer be rated.',
    });
    expect(await ratings(connection)).toEqual([]);
  });

  test('is refused once the workspace is deleted', async ({ connection, email }) => {
    const { token } = await solved(connection, email);
    await db().workspace.update({ where: { id: connection.workspaceId }, data: { deletedAt: new Date() } });
    expect(await getRating(db(), token)).toEqual({ kind: 'unknown' });
    await expect(rateByLink({ token, score: 5, comment: null })).rejects.toMatchObject({
      refusal: 'not_found',
    });
  });
});

/** Receives a message of Ada, by email unless given otherwise. Returns the conversation's id. */
async function write(
  { workspaceId }: { workspaceId: string },
  email: string,
  fields: Parameters<typeof incoming>[1] = {},
) {
  const contact = { fields: { name: 'Ada Lovelace', email } };
  const started = incoming(workspaceId, { channel: 'email', subject: 'My order', contact, ...fields });
  return (await receiveMessage(...started)).conversationId;
}

type Sent = { sendStatus: 'sent' | 'failed'; authorKind?: 'automatic' };

/** Adds an outbound message, of a teammate unless given otherwise. */
const send = ({ workspaceId }: Connection, conversationId: string, sent: Sent) =>
  db().message.create({
    data: {
      workspaceId,
      conversationId,
      direction: 'outbound',
      authorKind: 'teammate',
      content: 'It is on its way.',
      deliveryError: sent.sendStatus === 'failed' ? 'The mailbox is full.' : null,
      ...sent,
    },
  });

const update = ({ workspaceId, teammate }: Connection, id: string, status: 'open' | 'solved' | 'closed') =>
  updateConversation({ workspaceId, id, actor: { kind: 'teammate', teammate }, changes: { status } });

const askedJobs = async () => {
  await allMoved();
  return db().$queryRaw<{ key: string; runAt: Date }[]>`
    select key, run_at as "runAt" from graphile_worker.jobs where task_identifier = 'ask-for-rating'`;
};

const ratings = ({ workspaceId }: { workspaceId: string }) =>
  recordedEventsOf(workspaceId, 'conversation.rated');

async function solved(connection: Connection, email: string) {
  const conversationId = await write(connection, email);
  await update(connection, conversationId, 'solved');
  return { conversationId, token: ratingToken({ workspaceId: connection.workspaceId, conversationId }) };
}

type Connection = Awaited<ReturnType<typeof makeConnection>>;
