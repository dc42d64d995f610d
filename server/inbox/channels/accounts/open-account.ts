import { z } from 'zod';
import { unseal } from '#server/core/seal.ts';
import { secretKeys } from '#server/core/secret-keys.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';

/** Columns that `openAccount` needs. */
export const sealedAccountSelect = {
  id: true,
  workspaceId: true,
  channel: true,
  externalId: true,
  name: true,
  credentials: true,
  settings: true,
  webhookCalledAt: true,
} satisfies Prisma.ChannelAccountSelect;

export type SealedAccount = Prisma.ChannelAccountGetPayload<{ select: typeof sealedAccountSelect }>;

const credentialsShape = z.record(z.string(), z.string());
const settingsShape = z.record(z.string(), z.unknown());

/**
 * Decrypts the credentials of an account; a disconnected account has none.
 * @throws Error when the encryption key is missing, or the credentials were tampered with
 */
export function openAccount({ credentials, settings, ...account }: SealedAccount): ConnectedAccount {
  return {
    ...account,
    sealed: credentials,
    settings: settingsShape.parse(settings),
    credentials: credentials
      ? credentialsShape.parse(JSON.parse(unseal(credentials, account.id, secretKeys())))
      : {},
  };
}
