import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Channel } from '#server/generated/prisma/enums.ts';

const shape = z.array(
  z.object({
    workspace: z.string().nullable(),
    account_id: z.string().nullable(),
    channel: z.enum(Channel),
    external_id: z.string(),
    name: z.string(),
    token: z.string(),
    secret: z.string(),
    verify_token: z.string().optional(),
    business_account_id: z.string().optional(),
    page_id: z.string().optional(),
    username: z.string().optional(),
    bot_user_id: z.string().optional(),
  }),
);

export type DemoAccount = {
  id: string;
  channel: Channel;
  externalId: string;
  name: string;
  credentials: Record<string, string>;
  settings: Record<string, string>;
};

/** Returns a demo workspace's accounts at the stand-in, which reads the same file. */
export function demoAccountsOf(workspace: string): DemoAccount[] {
  const file = new URL('../../stand-ins/providers/demo-accounts.json', import.meta.url);
  const written: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return shape
    .parse(written)
    .filter((account) => account.workspace === workspace)
    .map(({ account_id: id, channel, external_id: externalId, ...fields }) => ({
      id: id ?? '',
      channel,
      externalId,
      ...describe(channel, externalId, fields),
    }));
}

type Fields = Omit<z.infer<typeof shape>[number], 'workspace' | 'account_id' | 'channel' | 'external_id'>;

/** Returns what connecting the channel would have stored. */
function describe(
  channel: Channel,
  externalId: string,
  fields: Fields,
): Pick<DemoAccount, 'name' | 'credentials' | 'settings'> {
  const { name, token, secret, verify_token: verifyToken = '' } = fields;
  if (channel === 'telegram') {
    const credentials = { botToken: token, webhookSecret: secret };
    return { name: `@${fields.username}`, credentials, settings: {} };
  }
  if (channel === 'slack') {
    const settings = { botUserId: fields.bot_user_id ?? '', botId: 'B0STANDIN00' };
    return { name, credentials: { botToken: token, signingSecret: secret }, settings };
  }
  const credentials = { accessToken: token, appSecret: secret, verifyToken };
  if (channel === 'whatsapp') {
    const settings = { phoneNumberId: externalId, businessAccountId: fields.business_account_id ?? '' };
    return { name, credentials, settings };
  }
  return { name, credentials, settings: { pageId: fields.page_id ?? externalId } };
}
