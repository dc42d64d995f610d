import { z } from 'zod';
import { invalid } from '#server/core/errors.ts';
import type { ConnectedAccount, ConnectResult } from '#server/inbox/channels/channel-adapter.ts';
import { inspectToken } from '#server/inbox/channels/meta/inspect-token.ts';
import { askAboutAccount, subscribeApp } from '#server/inbox/channels/meta/meta-account.ts';
import { PAGE_UPDATES } from '#server/inbox/channels/meta/page-updates.ts';

const PAGE = { name: 'pageId', label: 'Page ID' };
const pageShape = z.object({ id: z.string(), name: z.string().catch('') });

/** Asks Facebook which page it is, with the token of that page. */
export async function connectMessenger(fields: Record<string, string>): Promise<ConnectResult> {
  const { pageId = '', accessToken = '', appSecret = '' } = fields;
  const page = pageShape.safeParse(await askAboutAccount(fields, PAGE, { fields: 'id,name' })).data;
  if (page?.id !== pageId) {
    throw invalid({ pageId: ['Facebook has no page of this Page ID. Copy it again.'] });
  }
  return {
    externalId: pageId,
    name: page.name || pageId,
    credentials: { accessToken, appSecret },
    expiresAt: (await inspectToken(accessToken))?.expiresAt ?? null,
  };
}

/** Has Facebook send what happens on the page to the app of the token. */
export async function subscribeMessenger({ credentials, externalId }: ConnectedAccount): Promise<void> {
  const query = { subscribed_fields: PAGE_UPDATES.messenger };
  await subscribeApp({ token: credentials.accessToken ?? '', id: externalId, query }, PAGE);
}
