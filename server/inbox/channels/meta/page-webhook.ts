import type { AccountChannel } from '#server/inbox/channels/channel-adapter.ts';
import { digestOfBody } from '#server/inbox/channels/inbound/digest-of-body.ts';
import { pagesIn, receivePage } from '#server/inbox/channels/meta/receive-page.ts';
import { verifyMeta } from '#server/inbox/channels/meta/verify-meta.ts';

/** How Meta calls for Messenger and Instagram, whose webhooks have one shape. */
export const pageWebhook: AccountChannel['webhook'] = {
  verify: verifyMeta,
  names: pagesIn,
  updateId: digestOfBody,
  keptHeaders: [],
  receive: receivePage,
};
