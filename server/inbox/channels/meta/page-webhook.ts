import type { AccountChannel } from '#server/inbox/channels/channel-adapter.ts';
import { digestOfBody } from '#server/inbox/channels/digest-of-body.ts';
import { verifyMeta } from '#server/inbox/channels/meta/meta-webhook.ts';
import { pagesIn, receivePage } from '#server/inbox/channels/meta/receive-page.ts';

/** How Meta calls for Messenger and Instagram, whose webhooks have one shape. */
export const pageWebhook: AccountChannel['webhook'] = {
  verify: verifyMeta,
  names: pagesIn,
  updateId: digestOfBody,
  keptHeaders: [],
  receive: receivePage,
};
