import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { developerClient } from '#test/clients/api-client.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { until } from '#test/fixtures/until.ts';
import { isGenuine, test } from '#test/fixtures/webhook-test.ts';

test('a program creates, tests, reads, changes and deletes a webhook through the API, without its secret in a stored response', async ({
  service,
  where,
  receiver,
  received,
}) => {
  const { token } = await makeApiToken({ where, abilities: ['manage_webhooks'] });
  const api = developerClient(service.url, token);
  const call = async (...sent: Parameters<typeof api>) => {
    const { status, body } = await api(...sent);
    expect([200, 201], JSON.stringify(body)).toContain(status);
    return body as Record<string, unknown>;
  };
  const url = `https://localhost:${receiver.connectTo.split(':')[1]}/${where.workspaceId}`;
  const { id } = await call(
    'POST',
    '/webhooks',
    { url, events: ['note.added'] },
    { 'idempotency-key': 'once' },
  );
  const secret = String((await call('GET', `/webhooks/${id}/secret`)).secret);
  const stored = await db().idempotencyKey.findMany({ where: { key: 'once' } });
  expect(JSON.stringify(stored)).not.toContain('whsec_');
  const { id: deliveryId } = await call('POST', `/webhooks/${id}/test`);
  const [request] = await received(1);
  expect(isGenuine(request, secret)).toBe(true);
  const details = await until('the attempt is recorded', async () => {
    const found = await call('GET', `/webhooks/${id}/deliveries/${deliveryId}`);
    return (found.attempts as object[]).length > 0 && found;
  });
  expect(details).toMatchObject({
    request: { url, body: request.body, headers: { 'webhook-id': request.headers['webhook-id'] } },
    attempts: [{ number: 1, outcome: 'delivered', status: 200 }],
  });
  expect(await call('GET', `/webhooks/${id}/deliveries?limit=1`)).toMatchObject({
    data: [{ id: deliveryId, type: 'webhook.test', state: 'delivered', attempts: 1, last_status: 200 }],
    next_cursor: null,
  });
  await call('POST', `/webhooks/${id}/deliveries/${deliveryId}/resend`);
  await received(2);
  await call('POST', `/webhooks/${id}/replay`, { since: new Date(Date.now() - 1_000).toISOString() });
  await call('POST', `/webhooks/${id}/rotate-secret`);
  expect((await call('GET', `/webhooks/${id}/secret`)).secret).not.toBe(secret);
  expect(await call('PATCH', `/webhooks/${id}`, { enabled: false, description: 'Sync' })).toMatchObject({
    enabled: false,
    state: 'disabled',
    description: 'Sync',
    events: ['note.added'],
  });
  expect(await api('POST', `/webhooks/${id}/test`)).toMatchObject({ status: 422 });
  expect(await api('PATCH', `/webhooks/${id}`, {})).toMatchObject({
    status: 422,
    body: { message: 'Send at least one of url, events, description, enabled and skips_token_id.' },
  });
  expect(await api('PATCH', `/webhooks/${id}`, { url: 'https://10.0.0.8/', events: [] })).toMatchObject({
    status: 422,
    body: {
      errors: { url: ['This host is not in the public internet.'], events: ['Choose at least one event.'] },
    },
  });
  await call('DELETE', `/webhooks/${id}`);
  expect(await call('GET', '/webhooks')).toEqual({ data: [], next_cursor: null });
  expect(await api('GET', `/webhooks/${id}/deliveries`)).toMatchObject({ status: 404 });
});

test('a field of a webhook that is null or blank counts as not sent, except for the token that it leaves out', async ({
  service,
  where,
}) => {
  const { id: tokenId, token } = await makeApiToken({ where, abilities: ['manage_webhooks'] });
  const api = developerClient(service.url, token);
  const url = 'https://example.com/webhooks';
  const options = { description: null, enabled: null };
  const created = await api('POST', '/webhooks', {
    url,
    events: ['note.added'],
    skips_token_id: tokenId,
    ...options,
  });
  expect(created).toMatchObject({ status: 201, body: { url, description: '', state: 'enabled' } });
  const { id } = created.body as { id: string };
  const change = (body: object) => api('PATCH', `/webhooks/${id}`, body);
  expect(await change({ url: null, events: null, ...options, skips_token_id: null })).toMatchObject({
    status: 200,
    body: { url, events: ['note.added'], skips_token_id: null },
  });
  expect(await change({ url: '', events: ' ', enabled: '', description: 'Sync' })).toMatchObject({
    status: 200,
    body: { url, events: ['note.added'], description: 'Sync' },
  });
  expect(await change({ url: null, ...options })).toMatchObject({ status: 422 });
  expect(await api('POST', '/webhooks', { url: null, events: null })).toMatchObject({
    status: 422,
    body: { errors: { url: [expect.any(String)], events: [expect.any(String)] } },
  });
});

test('a replay goes back by all days for which events are stored, and not further', async ({
  service,
  where,
  makeWebhook,
}) => {
  const { endpoint } = await makeWebhook();
  const { token } = await makeApiToken({ where, abilities: ['manage_webhooks'] });
  const api = developerClient(service.url, token);
  const replay = (days: number) =>
    api('POST', `/webhooks/${endpoint.id}/replay`, {
      since: new Date(Date.now() - days * 86_400_000).toISOString(),
    });
  const { HISTORY_DAYS: days } = settings();
  expect((await replay(days)).status).toBe(201);
  expect(await replay(days + 1)).toMatchObject({
    status: 422,
    body: { errors: { since: [`Choose a time of the last ${days} days.`] } },
  });
});
