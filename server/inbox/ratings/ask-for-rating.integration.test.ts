import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { receiveMessage } from '#server/inbox/messages/receive-message.ts';
import { askForRating } from '#server/inbox/ratings/ask-for-rating.ts';
import { rateByLink } from '#server/inbox/ratings/rate-conversation.ts';
import { parseRatingToken, ratingToken } from '#server/inbox/ratings/rating-link.ts';
import { getRating } from '#server/screens/rating.ts';
import { recordedEventsOf } from '#test/database/recorded-events.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { incoming } from '#test/fixtures/incoming.ts';
import { withMailServer } from '#test/fixtures/mail-service.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { allMoved } from '#test/fixtures/queued-jobs.ts';

const { mail } = withMailServer();

let workspaceId: string;
let teammate: { id: string; name: string; email: string };
let email: string;
beforeEach(async () => {
  const connection = await makeConnection();
  ({ workspaceId, teammate } = connection);
  email = `${randomUUID()}@example.com`;
});

/** Receives a message of Ada, by email unless given otherwise. Returns the conversation's id. */
async function write(given: Parameters<typeof incoming>[1] = {}) {
  const contact = { fields: { name: 'Ada Lovelace', email } };
  const started = incoming(workspaceId, { channel: 'email', subject: 'My order', contact, ...given });
  return (await receiveMessage(...started)).conversationId;
}

const update = (id: string, status: 'open' | 'solved' | 'closed') =>
  updateConversation({ workspaceId, id, actor: { kind: 'teammate', teammate }, changes: { status } });
const askedJobs = async () => {
  await allMoved();
  return db().$queryRaw<{ key: string; runAt: Date }[]>`
    select key, run_at as "runAt" from graphile_worker.jobs where task_identifier = 'ask-for-rating'`;
};
const mailsTo = (address: string) =>
  mail.received.filter(({ email: { to } }) => to?.[0]?.address === address);
const ratings = () => recordedEventsOf(workspaceId, 'conversation.rated');

describe('a rating request by email', () => {
  test('is queued once, ten minutes after the conversation was last solved', async () => {
    const id = await write({ externalId: '<first@example.com>' });
    await update(id, 'solved');
    await update(id, 'open');
    const before = Date.now();
    await update(id, 'solved');
    const after = Date.now();
    const [job, ...others] = (await askedJobs()).filter(({ key }) => key.endsWith(id));
    expect([job?.key, others]).toEqual([`ask-for-rating:${id}`, []]);
    // Dates have millisecond precision, the database's timestamps microseconds.
    expect(Number(job?.runAt)).toBeGreaterThanOrEqual(before + 600_000 - 1);
    expect(Number(job?.runAt)).toBeLessThanOrEqual(after + 600_000 + 1);
  });

  test('is sent once in the thread, with a link for each score, also by parallel workers', async () => {
    const id = await write({ externalId: '<second@example.com>' });
    await update(id, 'solved');
    await Promise.all([askForRating(id), askForRating(id), askForRating(id)]);
    await askForRating(id);
    const [asked, ...more] = mailsTo(email);
    expect(more).toEqual([]);
    expect(asked?.email.subject).toBe('How did we do with “My order”?');
    expect(asked?.email.inReplyTo).toBe('<second@example.com>');
    expect(asked?.raw).toContain('Auto-Submitted: auto-replied');
    expect(asked?.raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(asked?.email.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toBe(
      `<http://inbox.test/unsubscribe/${ratingToken({ workspaceId, conversationId: id })}>`,
    );
    const token = ratingToken({ workspaceId, conversationId: id });
    for (const score of [1, 2, 3, 4, 5]) {
      expect(asked?.email.text).toContain(`http://inbox.test/rate/${token}?score=${score}`);
    }
    expect((await db().conversation.findUniqueOrThrow({ where: { id } })).ratingAskedAt).toBeInstanceOf(Date);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['the conversation was reopened', (id) => update(id, 'open')],
    ['the conversation was merged', async (id) => mergeAs({ workspaceId, teammate }, id, await write())],
    [
      'the workspace does not ask for ratings',
      () => db().workspace.update({ where: { id: workspaceId }, data: { askForRating: false } }),
    ],
    [
      'the email domain is not verified',
      () => db().emailDomain.updateMany({ where: { workspaceId }, data: { verifiedAt: null } }),
    ],
    [
      'the contact has no address',
      () => db().contact.updateMany({ where: { workspaceId }, data: { email: null } }),
    ],
    [
      'the contact unsubscribed',
      () => db().contact.updateMany({ where: { workspaceId }, data: { ratingsDeclinedAt: new Date() } }),
    ],
    [
      'the conversation was already rated',
      (id) =>
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
  ])('is not sent when %s', async (_why, change) => {
    const id = await write();
    await update(id, 'solved');
    await change(id);
    await askForRating(id);
    expect(mailsTo(email)).toEqual([]);
    expect((await db().conversation.findUniqueOrThrow({ where: { id } })).ratingAskedAt).toBeNull();
  });
});

describe('the link of a rating request', () => {
  async function solved() {
    const conversationId = await write();
    await update(conversationId, 'solved');
    return { conversationId, token: ratingToken({ workspaceId, conversationId }) };
  }

  test('opens without a change, stores a rating and updates it when used again', async () => {
    const { conversationId, token } = await solved();
    expect(await getRating(db(), token)).toEqual({
      kind: 'open',
      workspaceName: 'Acme',
      subject: 'My order',
    });
    expect(await ratings()).toEqual([]);
    await rateByLink({ token, score: 2, comment: 'Slow' });
    await rateByLink({ token, score: 4, comment: '  ' });
    expect(await ratings()).toMatchObject([
      { conversation: { id: conversationId }, rating: { score: 2, comment: 'Slow' } },
    ]);
    expect(await db().rating.findMany({ where: { conversationId } })).toMatchObject([
      { score: 4, comment: null },
    ]);
  });

  test('an attacker’s forged or changed token is refused', async () => {
    const { conversationId, token } = await solved();
    const other = ratingToken({ workspaceId, conversationId: randomUUID() });
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
    expect(await ratings()).toEqual([]);
  });

  test('is refused before the conversation was solved, and with an invalid score', async () => {
    const conversationId = await write();
    const token = ratingToken({ workspaceId, conversationId });
    expect(await getRating(db(), token)).toMatchObject({ kind: 'closed' });
    await expect(rateByLink({ token, score: 5, comment: null })).rejects.toMatchObject({
      refusal: 'invalid',
    });
    await update(conversationId, 'solved');
    await expect(rateByLink({ token, score: 6, comment: null })).rejects.toMatchObject({
      refusal: 'invalid',
    });
  });

  test('is limited to ten ratings a minute', async () => {
    const { token } = await solved();
    for (let i = 0; i < 10; i += 1) await rateByLink({ token, score: 3, comment: null });
    await expect(rateByLink({ token, score: 3, comment: null })).rejects.toMatchObject({
      message: expect.stringContaining('Wait a minute'),
    });
    expect(await ratings()).toHaveLength(1);
  });

  test('expires 30 days after it was sent, and its page says so', async () => {
    const { conversationId, token } = await solved();
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
    expect(await ratings()).toEqual([]);
  });

  test('is refused once the workspace is deleted', async () => {
    const { token } = await solved();
    await db().workspace.update({ where: { id: workspaceId }, data: { deletedAt: new Date() } });
    expect(await getRating(db(), token)).toEqual({ kind: 'unknown' });
    await expect(rateByLink({ token, score: 5, comment: null })).rejects.toMatchObject({
      refusal: 'not_found',
    });
  });
});
