import { type Verification, verifyMetaAddress } from './meta/verify-address.ts';
import type { Providers } from './providers.ts';
import { verifySlackAddress } from './slack/verify-address.ts';
import type { Account } from './state.ts';

/** Verifies and sets the webhook address of an account, as in the provider's dashboard. */
export async function verifyAddress(
  providers: Providers,
  account: Account,
  address: string,
  verifyToken: string,
): Promise<Verification> {
  if (account.channel === 'telegram') {
    return { ok: false, message: 'Telegram has no such page. The service calls setWebhook.' };
  }
  if (account.channel === 'slack') return await verifySlackAddress(providers, account, address);
  return await verifyMetaAddress(providers, account, address, verifyToken);
}
