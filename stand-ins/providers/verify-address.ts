import { type Verification, verifyMetaAddress } from './meta/verify-address.ts';
import type { Providers } from './providers.ts';
import { verifySlackAddress } from './slack/verify-address.ts';
import type { Account } from './state.ts';

/** Enters an address for an account's updates, as one does in the provider's dashboard: it is checked first. */
export async function verifyAddress(
  providers: Providers,
  account: Account,
  address: string,
  verifyToken: string,
): Promise<Verification> {
  if (account.channel === 'telegram') {
    return { ok: false, message: 'Telegram has no page for this: the service calls setWebhook.' };
  }
  if (account.channel === 'slack') return await verifySlackAddress(providers, account, address);
  return await verifyMetaAddress(providers, account, address, verifyToken);
}
