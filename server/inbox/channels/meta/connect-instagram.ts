import { z } from 'zod';
import { invalid } from '#server/core/errors.ts';
import type { ConnectedAccount, ConnectResult } from '#server/inbox/channels/channel-adapter.ts';
import { inspectToken } from '#server/inbox/channels/meta/inspect-token.ts';
import { askAboutAccount, subscribeApp } from '#server/inbox/channels/meta/meta-account.ts';
import { PAGE_UPDATES } from '#server/inbox/channels/meta/page-updates.ts';

const ACCOUNT = { name: 'accountId', label: 'Account ID' };
const accountShape = z.object({ id: z.string(), username: z.string().catch(''), name: z.string().catch('') });

/** Asks Instagram which account it is, with the token of the page that is linked to it. */
export async function connectInstagram(fields: Record<string, string>): Promise<ConnectResult> {
  const { accountId = '', accessToken = '', appSecret = '' } = fields;
  const query = { fields: 'id,username,name' };
  const account = accountShape.safeParse(await askAboutAccount(fields, ACCOUNT, query)).data;
  if (account?.id !== accountId) {
    throw invalid({ accountId: ['Instagram has no account of this Account ID. Copy it again.'] });
  }
  const { username, name } = account;
  return {
    externalId: accountId,
    name: username === '' ? name || accountId : `@${username}`,
    credentials: { accessToken, appSecret },
    expiresAt: (await inspectToken(accessToken))?.expiresAt ?? null,
  };
}

/** Subscribes the token's app to the linked page, through which updates of Instagram come. */
export async function subscribeInstagram({ credentials }: ConnectedAccount): Promise<void> {
  const query = { subscribed_fields: PAGE_UPDATES.instagram };
  await subscribeApp({ token: credentials.accessToken ?? '', id: 'me', query }, ACCOUNT);
}
