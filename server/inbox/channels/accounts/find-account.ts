import { validate as isUuid } from 'uuid';
import { type Db, db } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import {
  openAccount,
  type SealedAccount,
  sealedAccountSelect,
} from '#server/inbox/channels/accounts/open-account.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';

/**
 * Finds an account that is connected, with its secrets opened.
 * @param id as it was sent, perhaps no id at all
 */
export async function findAccount(
  id: string,
  where: Prisma.ChannelAccountWhereInput & { channel: Channel },
): Promise<ConnectedAccount | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await db().channelAccount.findFirst({
    where: { ...where, id, deletedAt: null },
    select: sealedAccountSelect,
  });
  return row ? openAccount(row) : undefined;
}

/** Finds the connected accounts with these ids of their provider, in any workspace. */
export async function findAccountsOfProvider(
  channel: Channel,
  externalIds: string[],
): Promise<ConnectedAccount[]> {
  if (externalIds.length === 0) return [];
  const rows = await db().channelAccount.findMany({
    where: { channel, externalId: { in: externalIds }, deletedAt: null },
    select: sealedAccountSelect,
  });
  return rows.map(openAccount);
}

/** Saves that an account has just received something, for "last message 4 minutes ago". */
export async function noteReceived(id: string): Promise<void> {
  await db().channelAccount.updateMany({ where: { id }, data: { lastReceivedAt: new Date() } });
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
