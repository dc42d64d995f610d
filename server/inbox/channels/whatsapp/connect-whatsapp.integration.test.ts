import { createHmac } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { connectAccount } from '#server/inbox/channels/accounts/connect-account.ts';
import { testAccount } from '#server/inbox/channels/accounts/test-account.ts';
import { accountRow, graphError, type MetaAccount, verifyTokenOf } from '#test/fixtures/meta.ts';
import { cloudApi, test } from '#test/fixtures/whatsapp-test.ts';

describe('connecting a number', () => {
  test('verifies the number with the token in a header, and subscribes to the business account', async ({
    provider,
    whatsapp,
  }) => {
    const account = await whatsapp.connect({ businessAccountId: '102290129340398' });
    expect(await accountRow(account)).toMatchObject({
      externalId: account.externalId,
      name: 'Acme +1 555 010 0100',
      status: 'connected',
      settings: { businessAccountId: '102290129340398' },
    });
    expect(provider.calls[0]?.headers.authorization).toBe(`Bearer ${account.accessToken}`);
    expect(provider.calls[0]?.path).toMatch(/^\/v\d+\.0\/\d+\?fields=/);
    expect(provider.calls.at(-1)).toMatchObject({
      method: 'POST',
      path: expect.stringContaining('/102290129340398/subscribed_apps'),
    });
  });

  test('sends appsecret_proof with the first request, before anything is stored', async ({
    provider,
    whatsapp,
  }) => {
    const account = await whatsapp.connect();
    const { path = '' } = provider.calls[0] ?? {};
    const proof = createHmac('sha256', account.appSecret).update(account.accessToken).digest('hex');
    expect(new URLSearchParams(path.split('?')[1]).get('appsecret_proof')).toBe(proof);
  });

  test('reports another app’s secret under its field, and stores nothing', async ({ provider, whatsapp }) => {
    provider.respond(() => ({
      status: 400,
      json: graphError(100, { message: 'Invalid appsecret_proof provided in the API argument' }),
    }));
    const before = await db().channelAccount.count();
    await expect(whatsapp.connect()).rejects.toMatchObject({
      errors: { appSecret: [expect.stringContaining('not the secret of the app')] },
    });
    expect(await db().channelAccount.count()).toBe(before);
  });

  test('again leaves the account as it was when the app cannot be subscribed', async ({
    provider,
    whatsapp,
  }) => {
    const { id, workspaceId, by, externalId, appSecret } = await whatsapp.connect();
    const before = await accountRow({ id });
    provider.respond((call) =>
      call.path.includes('/subscribed_apps')
        ? { status: 403, json: graphError(200) }
        : { json: cloudApi(call) ?? {} },
    );
    const fields = {
      phoneNumberId: externalId,
      accessToken: 'EAA2',
      appSecret,
      businessAccountId: '102290129340398',
    };
    const again = connectAccount({ workspaceId, channel: 'whatsapp', fields, by });
    await expect(again).rejects.toThrow('lacks permissions');
    expect(await accountRow({ id })).toEqual(before);
  });

  test('is followed by a failed test after the app secret was reset at Meta', async ({
    provider,
    whatsapp,
  }) => {
    const { id: accountId, workspaceId, by } = await whatsapp.connect();
    provider.respond(() => ({
      status: 400,
      json: graphError(100, { message: 'Invalid appsecret_proof provided in the API argument' }),
    }));
    expect(await testAccount({ workspaceId, accountId, by })).toEqual({
      works: false,
      reason: expect.stringContaining('no longer accepts the app secret'),
    });
  });

  test.for([
    ['a wrong token', 190, 'accessToken', 'does not accept this access token'],
    ['an unknown number', 100, 'phoneNumberId', 'finds nothing for this'],
    ['a missing permission', 200, 'accessToken', 'Add the permissions'],
  ] as const)(
    'reports %s under its field',
    async ([_what, code, field, sentence], { provider, whatsapp }) => {
      provider.respond(() => ({ status: 400, json: graphError(code) }));
      await expect(whatsapp.connect()).rejects.toMatchObject({
        errors: { [field]: [expect.stringContaining(sentence)] },
      });
    },
  );

  test.for([
    [{ phoneNumberId: '../me' }, 'phoneNumberId'],
    [{ appSecret: 'not hexadecimal' }, 'appSecret'],
    [{ businessAccountId: 'x' }, 'businessAccountId'],
  ] as const)(
    'refuses the invalid %j without calling WhatsApp',
    async ([input, field], { provider, whatsapp }) => {
      await expect(whatsapp.connect(input)).rejects.toMatchObject({
        errors: { [field]: [expect.any(String)] },
      });
      expect(provider.calls).toEqual([]);
    },
  );
});

describe('Meta’s check of the webhook address', () => {
  test('returns the challenge for the right verify token', async ({ service, whatsapp }) => {
    const account = await whatsapp.connect();
    expect(await verifyWebhook(service, account, await verifyTokenOf(account))).toEqual({
      status: 200,
      text: '1158201444',
    });
  });

  test('ends the last step of connecting, and a wrong token does not', async ({ service, whatsapp }) => {
    const account = await whatsapp.connect();
    const calledAt = async () =>
      (await db().channelAccount.findUniqueOrThrow({ where: { id: account.id } })).webhookCalledAt;
    await verifyWebhook(service, account, 'wrong');
    expect(await calledAt()).toBeNull();
    await verifyWebhook(service, account, await verifyTokenOf(account));
    const first = await calledAt();
    expect(first).not.toBeNull();
    await verifyWebhook(service, account, await verifyTokenOf(account));
    expect(await calledAt()).toEqual(first);
  });

  test('returns 403 for a wrong verify token', async ({ service, whatsapp }) => {
    const [account, other] = [await whatsapp.connect(), await whatsapp.connect()];
    expect((await verifyWebhook(service, account, await verifyTokenOf(other))).status).toBe(403);
    expect((await verifyWebhook(service, account, '')).status).toBe(403);
  });
});

async function verifyWebhook(service: { url: string }, account: MetaAccount, token: string) {
  const query = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.challenge': '1158201444',
    'hub.verify_token': token,
  });
  const response = await fetch(`${service.url}/webhooks/whatsapp/${account.id}?${query}`);
  return { status: response.status, text: await response.text() };
}
