import { describe, expect, onTestFinished } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { screensFor } from '#server/screens/router.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { makeTeammates, sessionCookie } from '#test/fixtures/teammates.ts';
import { startPushService } from '#test/servers/push-service.ts';

const test = serviceTest
  .extend('settings', { scope: 'file' }, () => ({ PUSH_PRIVATE_HOSTS: '127.0.0.1' }))
  .extend('desk', ({ service: _ }) => openDesk());

describe('a subscription that a browser renews', () => {
  test('replaces the old one, also when the browser does not name it', async ({ service, desk }) => {
    const { push, old, cookie, devices } = desk;
    for (const replaced of [old.endpoint, null]) {
      const renewed = { ...push.subscribe(), replaced };
      expect((await postRenewed(service.url, cookie, renewed)).status).toBe(200);
      expect((await devices()).map(({ endpoint }) => endpoint)).toEqual([renewed.endpoint]);
    }
  });

  test('is added once by parallel requests', async ({ service, desk }) => {
    const { push, old, cookie, devices } = desk;
    const renewed = { ...push.subscribe(), replaced: old.endpoint };
    const answers = await Promise.all([1, 2, 3].map(() => postRenewed(service.url, cookie, renewed)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await devices()).map(({ endpoint }) => endpoint)).toEqual([renewed.endpoint]);
  });

  test('is not added for a teammate who had none there, and leaves that of another one', async ({
    service,
    desk,
  }) => {
    const { push, old, owner, devices } = desk;
    const before = await devices();
    const renewed = { ...push.subscribe(), replaced: old.endpoint };
    expect((await postRenewed(service.url, await sessionCookie(owner.id), renewed)).status).toBe(404);
    expect(await devices()).toEqual(before);
  });

  test('is refused from other sites, while signed out, and with another address or form', async ({
    service,
    desk,
  }) => {
    const { push, cookie, devices } = desk;
    const before = await devices();
    const renewed = { ...push.subscribe(), replaced: null };
    const statusOf = async (...sent: [string, unknown, Record<string, string>?]) =>
      (await postRenewed(service.url, ...sent)).status;
    expect(await statusOf(cookie, renewed, { origin: 'https://evil.test' })).toBe(403);
    expect(await statusOf('', renewed)).toBe(401);
    expect(await statusOf(cookie, { ...renewed, endpoint: 'https://10.0.0.1/1' })).toBe(422);
    expect(await statusOf(cookie, { ...renewed, p256dh: 'short' })).toBe(422);
    expect(await statusOf(cookie, [])).toBe(422);
    expect(await devices()).toEqual(before);
  });
});

/** A browser in which the agent has turned push notifications on. */
async function openDesk() {
  const push = await startPushService();
  onTestFinished(() => push.stop());
  const { agent, owner } = await makeTeammates();
  const cookie = await sessionCookie(agent.id);
  const old = push.subscribe();
  await (await screensFor(new Headers({ cookie }))).notifications.addDevice(old);
  const devices = () => db().pushSubscription.findMany({ where: { userId: { in: [agent.id, owner.id] } } });
  return { push, owner, cookie, old, devices };
}

function postRenewed(url: string, cookie: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${url}/push-subscription`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}
