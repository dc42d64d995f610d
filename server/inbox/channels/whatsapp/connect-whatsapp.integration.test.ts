import { describe, expect, test } from 'vitest';
import { accountRow, graphError, type MetaAccount, verifyTokenOf } from '#test/fixtures/meta.ts';
import { withWhatsapp } from '#test/fixtures/whatsapp.ts';

const { service, connect } = withWhatsapp();

describe('connecting a number', () => {
  test('asks WhatsApp for it with the token in a header, and has its business account send updates', async () => {
    const account = await connect({ businessAccountId: '102290129340398' });
    expect(await accountRow(account)).toMatchObject({
      externalId: account.externalId,
      name: 'Acme +1 555 010 0100',
      status: 'connected',
      settings: { businessAccountId: '102290129340398' },
    });
    expect(service.provider.calls[0]?.headers.authorization).toBe(`Bearer ${account.accessToken}`);
    expect(service.provider.calls[0]?.path).toMatch(/^\/v\d+\.0\/\d+\?fields=/);
    expect(service.provider.calls.at(-1)).toMatchObject({
      method: 'POST',
      path: expect.stringContaining('/102290129340398/subscribed_apps'),
    });
  });

  test.each([
    ['a wrong token', 190, 'accessToken', 'does not accept this access token'],
    ['an unknown number', 100, 'phoneNumberId', 'shows this token nothing'],
    ['a missing permission', 200, 'accessToken', 'Add the permissions'],
  ])('%s is refused under its field', async (_what, code, field, sentence) => {
    service.provider.respond(() => ({ status: 400, json: graphError(code) }));
    await expect(connect()).rejects.toMatchObject({
      errors: { [field]: [expect.stringContaining(sentence)] },
    });
  });

  test.each([
    [{ phoneNumberId: '../me' }, 'phoneNumberId'],
    [{ appSecret: 'not hexadecimal' }, 'appSecret'],
    [{ businessAccountId: 'x' }, 'businessAccountId'],
  ])('%j cannot be right, and WhatsApp is not asked', async (given, field) => {
    await expect(connect(given)).rejects.toMatchObject({ errors: { [field]: [expect.any(String)] } });
    expect(service.provider.calls).toEqual([]);
  });
});

describe('Meta checks the address', () => {
  const ask = async (account: MetaAccount, token: string) => {
    const query = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.challenge': '1158201444',
      'hub.verify_token': token,
    });
    const response = await fetch(`${service.url}/webhooks/whatsapp/${account.id}?${query}`);
    return { status: response.status, text: await response.text() };
  };

  test('and hears its challenge when the verify token is right', async () => {
    const account = await connect();
    expect(await ask(account, await verifyTokenOf(account))).toEqual({ status: 200, text: '1158201444' });
  });

  test('and hears 403 when it is wrong', async () => {
    const [account, other] = [await connect(), await connect()];
    expect((await ask(account, await verifyTokenOf(other))).status).toBe(403);
    expect((await ask(account, '')).status).toBe(403);
  });
});
