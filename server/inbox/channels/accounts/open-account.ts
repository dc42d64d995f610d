import { z } from 'zod';
import type { Db } from '#server/core/database/db.ts';
import { unseal } from '#server/core/seal.ts';
import { secretKeys } from '#server/core/secret-keys.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';

/** What must be selected of an account to open it. */
export const sealedAccountSelect = {
  id: true,
  workspaceId: true,
  channel: true,
  externalId: true,
  name: true,
  credentials: true,
  settings: true,
} satisfies Prisma.ChannelAccountSelect;

export type SealedAccount = Prisma.ChannelAccountGetPayload<{ select: typeof sealedAccountSelect }>;

const credentialsShape = z.record(z.string(), z.string());
const settingsShape = z.record(z.string(), z.unknown());

/**
 * An account with its secrets opened. One that is disconnected has none.
 * @throws Error when the key that sealed them is not there, or they were changed
 */
export function openAccount({ credentials, settings, ...account }: SealedAccount): ConnectedAccount {
  return {
    ...account,
    settings: settingsShape.parse(settings),
    credentials: credentials
      ? credentialsShape.parse(JSON.parse(unseal(credentials, account.id, secretKeys())))
      : {},
  };
}

/** An account that replies leave by, still sealed, and whether its provider takes its token. */
type ReplyAccount = SealedAccount & { status: 'connected' | 'reconnect_needed' };

/**
 * The account that replies of a conversation leave by: the one it came in by. A conversation that has none, from before its
 * channel was connected, takes the workspace's only one of the channel.
 * @returns null when it is not connected
 */
export async function findReplyAccount(
  db: Db,
  {
    workspaceId,
    channel,
    channelAccountId,
  }: { workspaceId: string; channel: Channel; channelAccountId: string | null },
): Promise<ReplyAccount | null> {
  const accounts = await db.channelAccount.findMany({
    where: { workspaceId, channel, deletedAt: null, ...(channelAccountId ? { id: channelAccountId } : {}) },
    select: { ...sealedAccountSelect, status: true },
    take: 2,
  });
  const [only, ...others] = accounts;
  return only && others.length === 0 ? only : null;
}
