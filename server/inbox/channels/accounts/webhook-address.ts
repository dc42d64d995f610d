import { settings } from '#server/core/env.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';

/** Where the providers of channels call (decisions: conversations and contacts, 25). */
export const WEBHOOKS_PATH = '/webhooks/';

/** The address to copy into a provider's settings. */
export function webhookAddress({ channel, id }: { channel: Channel; id: string }): string {
  return `${settings().BASE_URL}${WEBHOOKS_PATH}${channel}/${id}`;
}
