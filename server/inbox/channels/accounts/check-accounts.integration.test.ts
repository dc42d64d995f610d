import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { checkAccounts } from '#server/inbox/channels/accounts/check-accounts.ts';
import { openAccount, sealedAccountSelect } from '#server/inbox/channels/accounts/open-account.ts';
import { test as baseTest } from '#test/fixtures/channel-test.ts';
import { connectNew } from '#test/fixtures/connect-new.ts';
import {
  accountRow,
  connectMeta,
  describeObject,
  graphError,
  type MetaAccount,
} from '#test/fixtures/meta.ts';
import { botApi, newToken } from '#test/fixtures/telegram-test.ts';
import type { ProviderCall, ProviderServer } from '#test/servers/provider-server.ts';

const test = baseTest.extend(
  'respondUsually',
  { scope: 'file' },
  () => (call: ProviderCall) => botApi(call) ?? describeObject(call),
);
const UNAUTHORIZED = { ok: false, error_code: 401, description: 'Unauthorized' };

test('a token that expires soon is exchanged for a longer-lived token, with the app’s secret', async ({
  provider,
}) => {
  const account = await connectMeta('messenger', 'pageId');
  setTokenExpiry(
    provider,
    account,
    { expires_at: inDays(10) },
    { access_token: 'EAAnew', expires_in: 60 * DAY_SECONDS },
  );
  await checkAccounts();
  expect(await tokenOf(account)).toBe('EAAnew');
  const { expiresAt } = await accountRow(account);
  expect(expiresAt?.getTime()).toBeGreaterThan(inDays(59) * 1000);
  const asked = provider.calls.find(({ path }) => path.includes('/oauth/access_token?'));
  expect(asked?.path).toContain(`client_id=77&client_secret=${account.appSecret}`);
  expect(await notified(account, 'channel_expiring')).toBe(0);
});

test('owners and admins are notified once before a token expires that cannot be exchanged', async ({
  provider,
}) => {
  const account = await connectMeta('whatsapp', 'phoneNumberId');
  setTokenExpiry(provider, account, { expires_at: inDays(5) });
  for (let time = 0; time < 2; time += 1) await checkAccounts();
  expect(await tokenOf(account)).toBe(account.accessToken);
  expect(await notified(account, 'channel_expiring')).toBe(1);
  expect((await accountRow(account)).status).toBe('connected');
});

test('owners and admins are notified once before Meta’s access to data ends, which an exchange does not extend', async ({
  provider,
}) => {
  const account = await connectMeta('messenger', 'pageId');
  const ends = { data_access_expires_at: inDays(5) };
  const facts = { data: { app_id: '77', is_valid: true, expires_at: 0, ...ends } };
  provider.respond((call) => {
    if (call.path.includes('/debug_token?')) return { json: facts };
    const isExchange = call.path.includes('/oauth/access_token?');
    return { json: isExchange ? { access_token: 'EAAnew' } : (describeObject(call) ?? {}) };
  });
  for (let time = 0; time < 2; time += 1) await checkAccounts();
  expect(await tokenOf(account)).toBe(account.accessToken);
  expect(await accountRow(account)).toMatchObject({
    expiresAt: new Date(ends.data_access_expires_at * 1000),
  });
  expect(await notified(account, 'channel_expiring')).toBe(1);
});

test('a token that never expires, or not soon, is left unchanged', async ({ provider }) => {
  const account = await connectMeta('instagram', 'accountId');
  for (const expires_at of [0, inDays(40)]) {
    setTokenExpiry(provider, account, { expires_at });
    await checkAccounts();
  }
  expect(provider.calls.some(({ path }) => path.includes('/oauth/'))).toBe(false);
  expect(await notified(account, 'channel_expiring')).toBe(0);
  expect((await accountRow(account)).expiresAt).not.toBeNull();
});

test('a token that Meta calls invalid sets the account to "Needs to be connected again"', async ({
  provider,
}) => {
  const account = await connectMeta('messenger', 'pageId');
  setTokenExpiry(provider, account, { expires_at: 0, is_valid: false });
  await checkAccounts();
  expect((await accountRow(account)).status).toBe('reconnect_needed');
  expect(await notified(account, 'channel_reconnect')).toBe(1);
});

test.for([
  ['Messenger', () => connectMeta('messenger', 'pageId'), { status: 400, json: graphError(190) }],
  ['Telegram', () => connectNew('telegram', { botToken: newToken() }), { status: 401, json: UNAUTHORIZED }],
] as const)(
  'a token that %s no longer accepts sets the account to "Needs to be connected again"',
  async ([, connect, refusal], { provider }) => {
    const account = await connect();
    provider.respond(() => refusal);
    for (let time = 0; time < 2; time += 1) await checkAccounts();
    expect((await accountRow(account)).status).toBe('reconnect_needed');
    expect(await notified(account, 'channel_reconnect')).toBe(1);
  },
);

test('nothing changes while Meta is unreachable', async ({ provider }) => {
  const account = await connectMeta('messenger', 'pageId');
  provider.respond(() => ({ status: 500, json: {} }));
  await checkAccounts();
  expect(await accountRow(account)).toMatchObject({ status: 'connected', expiresAt: null });
});

const DAY_SECONDS = 86_400;
const inDays = (days: number) => Math.floor(Date.now() / 1000) + days * DAY_SECONDS;

/** Sets the expiry of the account's token and the response to its exchange; tokens of other accounts never expire. */
function setTokenExpiry(
  provider: ProviderServer,
  { accessToken }: MetaAccount,
  facts: { expires_at: number; is_valid?: boolean },
  exchanged: object = graphError(190),
) {
  provider.respond((call) => {
    if (!call.path.includes(encodeURIComponent(accessToken))) return { json: describeObject(call) ?? {} };
    if (call.path.includes('/debug_token?')) {
      return { json: { data: { app_id: '77', is_valid: true, data_access_expires_at: 0, ...facts } } };
    }
    return { json: call.path.includes('/oauth/access_token?') ? exchanged : (describeObject(call) ?? {}) };
  });
}

const tokenOf = async ({ id }: MetaAccount) =>
  openAccount(await db().channelAccount.findUniqueOrThrow({ where: { id }, select: sealedAccountSelect }))
    .credentials.accessToken;
const notified = ({ workspaceId }: { workspaceId: string }, kind: string) =>
  db().notification.count({ where: { workspaceId, kind } });
