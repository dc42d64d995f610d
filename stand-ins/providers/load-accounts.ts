import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Account, CHANNELS, keyOf, usualSwitches } from './state.ts';

const common = z.object({
  workspace: z.string().nullable(),
  account_id: z.string().nullable(),
  channel: z.enum(CHANNELS),
  external_id: z.string(),
  name: z.string(),
  token: z.string(),
  secret: z.string(),
  verify_token: z.string().optional(),
  business_account_id: z.string().optional(),
  page_id: z.string().optional(),
  phone: z.string().optional(),
  username: z.string().optional(),
  bot_user_id: z.string().optional(),
  app_id: z.string().optional(),
  help_channel: z.string().optional(),
});

/** An account as `demo-accounts.json` and the control API write it. */
export const accountFields = common;
export type AccountFields = z.infer<typeof common>;

/** The accounts that the demo data is connected to, and a spare one of each channel. */
export function loadAccounts(serviceUrl: string): Map<string, Account> {
  const file = new URL('./demo-accounts.json', import.meta.url);
  const written: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const accounts = z
    .array(common)
    .parse(written)
    .map((fields) => makeAccount(fields, serviceUrl));
  return new Map(accounts.map((account) => [keyOf(account), account]));
}

/** An account at a provider. With an id of the service's, its webhooks go to the address that the service has for it. */
export function makeAccount(fields: AccountFields, serviceUrl: string): Account {
  const { channel, account_id, bot_user_id, app_id, help_channel } = fields;
  return {
    channel,
    externalId: fields.external_id,
    name: fields.name,
    workspace: fields.workspace,
    token: fields.token,
    secret: fields.secret,
    verifyToken: fields.verify_token ?? null,
    address: account_id ? `${serviceUrl}/webhooks/${channel}/${account_id}` : null,
    businessAccountId: fields.business_account_id ?? null,
    pageId: fields.page_id ?? null,
    username: fields.username ?? null,
    phone: fields.phone ?? null,
    slack:
      bot_user_id && app_id && help_channel
        ? { botUserId: bot_user_id, appId: app_id, helpChannel: help_channel }
        : null,
    switches: usualSwitches(),
    chats: new Map(),
    // After a restart it goes on counting where no earlier one has been.
    nextUpdateId: Math.floor(Date.now() / 100) % 1_000_000_000,
  };
}
