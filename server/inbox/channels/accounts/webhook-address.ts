import { settings } from '#server/core/env.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';

/** Path prefix of the providers' webhooks (`docs/rulings.md` 3.25). */
export const WEBHOOKS_PATH = '/webhooks/';

/** Returns the webhook address to copy into the provider's settings. */
export function webhookAddress({ channel, id }: { channel: Channel; id: string }): string {
  return `${settings().BASE_URL}${WEBHOOKS_PATH}${channel}/${id}`;
}
