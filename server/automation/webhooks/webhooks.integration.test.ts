import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect } from 'vitest';
import { readEndpointDelivery } from '#server/automation/webhooks/endpoint-deliveries.ts';
import {
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  readSecret,
  rotateSecret,
  updateEndpoint,
} from '#server/automation/webhooks/endpoints.ts';
import {
  replayBatch,
  replayEvents,
  resendDelivery,
  sendTestEvent,
} from '#server/automation/webhooks/send-again.ts';
import { planAndWrite } from '#server/core/database/planned.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { addNote } from '#server/inbox/conversations/add-note.ts';
import { mergeConversations } from '#server/inbox/conversations/merge-conversations.ts';
import { removeConversation } from '#server/inbox/conversations/removal.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { until } from '#test/fixtures/until.ts';
import { headersOf, isGenuine, test } from '#test/fixtures/webhook-test.ts';

describe('a delivered event', () => {
  test('is verified by standardwebhooks and by svix with the secret as the screen shows it', async ({
    received,
    makeWebhook,
    where,
    note,
  }) => {
    const { endpoint, secret } = await makeWebhook();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await readSecret(db(), { ...where, id: endpoint.id })).toBe(secret);
    await note();
    const [request] = await received(1);
    for (const verifier of [new Webhook(secret), new SvixWebhook(secret)]) {
      verifier.verify(request.body, headersOf(request));
      expect(JSON.parse(request.body)).toMatchObject({
        id: request.headers['webhook-id'],
        type: 'note.added',
        timestamp: expect.stringMatching(/\+00:00$/),
        actor: { type: 'teammate', id: where.by.id, name: where.by.name },
        caused_by: null,
        data: { note: { content: 'For us' }, conversation: { id: expect.any(String) } },
      });
      expect(() => verifier.verify(`${request.body} `, headersOf(request))).toThrow();
    }
    expect(Object.keys(JSON.parse(request.body))).toEqual([
      'id',
      'type',
      'timestamp',
      'actor',
      'caused_by',
      'data',
    ]);
  });

  test('is still signed after its secret was read and rotated by its id in uppercase', async ({
    received,
    makeWebhook,
    where,
    note,
  }) => {
    const { endpoint, secret: old } = await makeWebhook();
    const id = endpoint.id.toUpperCase();
    expect(await readSecret(db(), { ...where, id })).toBe(old);
    const { secret } = await inTransaction((tx) => rotateSecret(tx, { ...where, id }));
    await note();
    const [request] = await received(1);
    expect(isGenuine(request, secret)).toBe(true);
  });

  test('is signed with both secrets after a rotation, and with the new one only once the day is over', async ({
    received,
    makeWebhook,
    where,
    note,
  }) => {
    const { endpoint, secret: old } = await makeWebhook();
    const { secret } = await inTransaction((tx) => rotateSecret(tx, { ...where, id: endpoint.id }));
    await note('first');
    const [during] = await received(1);
    expect(isGenuine(during, old) && isGenuine(during, secret)).toBe(true);
    await db().webhookEndpoint.update({
      where: { id: endpoint.id },
      data: { earlierSecretUntil: new Date(Date.now() - 1) },
    });
    await note('second');
    const [, after] = await received(2);
    expect([isGenuine(after, old), isGenuine(after, secret)]).toEqual([false, true]);
  });

  test('has the same id and body at each attempt, whatever the error', async ({
    received,
    makeWebhook,
    note,
    receiver,
  }) => {
    receiver.respond(() => ({ status: receiver.received.length < 3 ? 400 : 204 }));
    const { endpoint, secret } = await makeWebhook();
    await note();
    const attempts = await received(3);
    expect(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(attempts.map(({ body }) => body)).size).toBe(1);
    expect(attempts.every((request) => isGenuine(request, secret))).toBe(true);
    await until('it is delivered', async () => (await outcomeOf(endpoint.id)) === 'delivered');
  });
});

test('an endpoint gets only its events, and none of before it existed or while it is disabled', async ({
  received,
  makeWebhook,
  where,
  note,
  know,
}) => {
  await note('too early');
  const { endpoint } = await makeWebhook({ events: ['note.added'] });
  const which = { ...where, id: endpoint.id };
  await know('Ada');
  await inTransaction((tx) => updateEndpoint(tx, { ...which, enabled: false }));
  await note('while disabled');
  await inTransaction((tx) => updateEndpoint(tx, { ...which, enabled: true, events: ['contact.created'] }));
  await note('not chosen');
  await know('Grace');
  const [only] = await received(1);
  expect(JSON.parse(only.body)).toMatchObject({
    type: 'contact.created',
    data: { contact: { name: 'Grace' } },
  });
  expect(await db().delivery.count({ where: { hookId: endpoint.id } })).toBe(1);
});

test('an endpoint for all events gets every kind, also when it is replayed, and no other events beside it', async ({
  received,
  makeWebhook,
  where,
  note,
  know,
}) => {
  const { endpoint } = await makeWebhook({ events: ['*', 'note.added'] });
  expect(endpoint.events).toEqual(['*']);
  const which = { ...where, id: endpoint.id };
  const since = new Date();
  await know('Ada');
  await note();
  const types = (requests: { body: string }[]) => requests.map(({ body }) => JSON.parse(body).type).sort();
  expect(types(await received(2))).toEqual(['contact.created', 'note.added']);
  await inTransaction((tx) => updateEndpoint(tx, { ...which, enabled: false }));
  await know('Grace');
  await note('while disabled');
  await inTransaction((tx) => updateEndpoint(tx, { ...which, enabled: true }));
  await inTransaction((tx) => replayEvents(tx, { ...which, since }));
  expect(types(await received(4)).slice(0, 2)).toEqual(['contact.created', 'contact.created']);
  expect(await db().delivery.count({ where: { hookId: endpoint.id } })).toBe(4);
});

test('an endpoint leaves out what its own token caused, and the platform’s hooks get exactly their events', async ({
  received,
  connection,
  where,
  makeWebhook,
  know,
  note,
}) => {
  const { id: tokenId } = await makeApiToken({ where });
  const { endpoint } = await makeWebhook({ skipsTokenId: tokenId });
  const hook = await makeHook(connection, { event: 'contact.created' });
  await know('Own', { kind: 'program', tokenId, name: 'Sync' });
  await know('Other');
  await note();
  const both = await received(2);
  expect(both.map(({ body }) => JSON.parse(body).type).sort()).toEqual(['contact.created', 'note.added']);
  expect(await db().delivery.count({ where: { hookId: endpoint.id } })).toBe(2);
  expect(await db().delivery.count({ where: { hookId: hook.id } })).toBe(2);
});

test('a test event arrives signed and is not in the event log', async ({ received, makeWebhook, where }) => {
  const { endpoint, secret } = await makeWebhook({ events: ['reply.failed'] });
  await inTransaction((tx) => sendTestEvent(tx, { ...where, id: endpoint.id }));
  const [request] = await received(1);
  expect(isGenuine(request, secret)).toBe(true);
  expect(JSON.parse(request.body)).toMatchObject({ type: 'webhook.test', data: { webhook_id: endpoint.id } });
  const event = await db().event.findFirstOrThrow({ where: { workspaceId: where.workspaceId } });
  expect(event).toMatchObject({ key: 'webhook.test', logPosition: 0n });
});

test('events are sent again one by one, or all that were missed since a time, each once', async ({
  received,
  makeWebhook,
  where,
  note,
  conversation,
  receiver,
}) => {
  receiver.respond(({ body }) => ({ status: body.includes('missed') ? 500 : 200 }));
  const { endpoint } = await makeWebhook({ events: ['note.added'] });
  const which = { ...where, id: endpoint.id };
  const since = new Date();
  await note('arrives');
  await note('missed');
  await until('one failed', async () => (await exhausted(endpoint.id)) === 1);
  await inTransaction((tx) => updateEndpoint(tx, { ...which, enabled: false }));
  await expect(inTransaction((tx) => replayEvents(tx, { ...which, since }))).rejects.toMatchObject({
    refusal: 'invalid',
  });
  await note('missed while disabled');
  await inTransaction((tx) => updateEndpoint(tx, { ...which, enabled: true }));
  receiver.respond(() => ({ status: 200 }));
  receiver.received.length = 0;
  await inTransaction((tx) => replayEvents(tx, { ...which, since }));
  const replayed = await received(2);
  expect(replayed.map(({ body }) => JSON.parse(body).data.note.content).sort()).toEqual([
    'missed',
    'missed while disabled',
  ]);
  await replayBatch({ endpointId: endpoint.id, since, before: new Date() });
  const delivery = await db().delivery.findFirstOrThrow({
    where: { hookId: endpoint.id },
    orderBy: { createdAt: 'asc' },
  });
  await until('all are delivered', async () => (await delivered(endpoint.id)) === 3);
  await inTransaction((tx) => resendDelivery(tx, { ...which, deliveryId: delivery.id }));
  await received(3);
  await until('it is delivered again', async () => (await delivered(endpoint.id)) === 3);
  expect(receiver.received).toHaveLength(3);
  const actor = { kind: 'teammate', teammate: where.by } as const;
  await removeConversation({ workspaceId: where.workspaceId, id: conversation, to: 'spam', actor });
  await expect(
    inTransaction((tx) => resendDelivery(tx, { ...which, deliveryId: delivery.id })),
  ).rejects.toMatchObject({
    refusal: 'invalid',
  });
});

test('nothing of a conversation is sent again or shown after the one into which it was merged was marked as spam', async ({
  received,
  makeWebhook,
  where,
  note,
  conversation,
  connection,
  receiver,
}) => {
  receiver.respond(({ body }) => ({ status: body.includes('ours') ? 200 : 500 }));
  const { endpoint } = await makeWebhook({ events: ['note.added'] });
  const which = { ...where, id: endpoint.id };
  const since = new Date();
  await note('missed');
  await until('it failed', async () => (await exhausted(endpoint.id)) === 1);
  const actor = { kind: 'teammate', teammate: where.by } as const;
  const intoId = await makeConversation(connection);
  const { workspaceId } = where;
  await inTransaction((tx) => mergeConversations(tx, { workspaceId, id: conversation, intoId, actor }));
  const { id: deliveryId } = await db().delivery.findFirstOrThrow({ where: { hookId: endpoint.id } });
  const read = async () => (await readEndpointDelivery(db(), { ...which, deliveryId }))?.request.body;
  expect(await read()).toContain('missed');
  await removeConversation({ workspaceId, id: intoId, to: 'spam', actor });
  expect(await read()).toBe('');
  receiver.received.length = 0;
  await replayBatch({ endpointId: endpoint.id, since, before: new Date() });
  const ours = await makeConversation(connection);
  await planAndWrite((tx) => addNote(tx, { workspaceId, id: ours, actor, content: 'ours' }));
  const [request] = await received(1);
  expect(JSON.parse(request.body).data.note.content).toBe('ours');
  expect(receiver.received).toHaveLength(1);
});

test('an endpoint whose secret cannot be read fails alone: its attempts say why, and others get their events', async ({
  received,
  makeWebhook,
  note,
}) => {
  const { endpoint } = await makeWebhook({ events: ['note.added'] });
  const { endpoint: other } = await makeWebhook({ events: ['note.added'] });
  const secret = Buffer.from('sealed with a key that is gone');
  await db().webhookEndpoint.update({ where: { id: endpoint.id }, data: { secret } });
  await note();
  await until('it failed', async () => (await exhausted(endpoint.id)) === 1);
  expect(await delivered(other.id)).toBe(1);
  expect(await received(1)).toHaveLength(1);
  const [attempt] = await db().attempt.findMany({ where: { delivery: { hookId: endpoint.id } } });
  expect(attempt).toMatchObject({ outcome: 'unreachable', error: expect.stringMatching(/SECRETS_KEY/) });
});

describe('refused is', () => {
  test('the twenty-first endpoint, an unknown event and a token of another workspace', async ({
    makeWebhook,
    where,
  }) => {
    const first = await makeWebhook();
    for (let n = 1; n < 20; n += 1) await makeWebhook();
    await expect(makeWebhook()).rejects.toMatchObject({ errors: { url: [expect.stringContaining('20')] } });
    await inTransaction((tx) => deleteEndpoint(tx, { ...where, id: first.endpoint.id }));
    expect(await listEndpoints(db(), where.workspaceId)).toHaveLength(19);
    const make = (wanted: object) =>
      inTransaction((tx) =>
        createEndpoint(tx, { ...where, url: 'https://example.com/', events: ['note.added'], ...wanted }),
      );
    await expect(make({ events: ['note.removed'] })).rejects.toMatchObject({
      errors: { events: ['There is no event note.removed.'] },
    });
    await expect(make({ events: [] })).rejects.toMatchObject({
      errors: { events: ['Choose at least one event.'] },
    });
    const other = await makeApiToken();
    await expect(make({ skipsTokenId: other.id })).rejects.toMatchObject({ refusal: 'invalid' });
  });

  test('an endpoint of another workspace', async ({ makeWebhook }) => {
    const { endpoint } = await makeWebhook();
    const { workspaceId, by } = await makeApiToken();
    const which = { workspaceId, by, id: endpoint.id };
    for (const change of [updateEndpoint, deleteEndpoint, rotateSecret, sendTestEvent]) {
      await expect(inTransaction((tx) => change(tx, which) as Promise<unknown>)).rejects.toMatchObject({
        refusal: 'not_found',
      });
    }
    await expect(readSecret(db(), which)).rejects.toMatchObject({ refusal: 'not_found' });
  });
});

const outcomeOf = async (hookId: string) => (await db().delivery.findFirst({ where: { hookId } }))?.outcome;
const exhausted = (hookId: string) => db().delivery.count({ where: { hookId, outcome: 'exhausted' } });
const delivered = (hookId: string) => db().delivery.count({ where: { hookId, outcome: 'delivered' } });
