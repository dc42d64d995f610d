import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Account, CHANNELS, defaultSwitches, keyOf } from './state.ts';

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

/** Fields of an account in `demo-accounts.json` and in the control API. */
export const accountFields = common;
export type AccountFields = z.infer<typeof common>;

/** Loads the accounts of the demo data, and a spare account of each channel. */
export function loadAccounts(serviceUrl: string): Map<string, Account> {
  const file = new URL('./demo-accounts.json', import.meta.url);
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const accounts = z
    .array(common)
    .parse(content)
    .map((fields) => makeAccount(fields, serviceUrl));
  return new Map(accounts.map((account) => [keyOf(account), account]));
}

/** Creates an account at a provider. With an account id of the service, its webhooks go to that account's address. */
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
    switches: defaultSwitches(),
    chats: new Map(),
    bot: {
      // Continues above the numbers of an earlier run.
      nextUpdateId: Math.floor(Date.now() / 100) % 1_000_000_000,
      // What the service asks for when it connects a bot.
      allowedUpdates: account_id ? ['message', 'edited_message', 'message_reaction'] : [],
      pending: [],
      endWait: null,
    },
  };
}
