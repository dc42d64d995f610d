import type { Connecting } from '#prisma/seed/channel-account-rows.ts';
import { parseSecretKeys } from '#server/core/seal.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';

/**
 * Returns the channels to connect: those whose API is on this machine, which is the stand-in. A real provider does
 * not know the demo accounts. Null when credentials cannot be encrypted.
 */
export function connectingFrom(env: Record<string, string | undefined>): Connecting | null {
  if (!env.SECRETS_KEY) return null;
  const channels = Object.entries(CHANNELS_OF)
    .filter(([setting]) => isOnThisMachine(env[setting] ?? ''))
    .flatMap(([, names]) => names);
  return { keys: parseSecretKeys(env.SECRETS_KEY), channels: new Set(channels) };
}

const CHANNELS_OF: Readonly<Record<string, Channel[]>> = {
  META_API_URL: ['whatsapp', 'instagram', 'messenger'],
  TELEGRAM_API_URL: ['telegram'],
  SLACK_API_URL: ['slack'],
};

function isOnThisMachine(address: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(URL.parse(address)?.hostname ?? '');
}
