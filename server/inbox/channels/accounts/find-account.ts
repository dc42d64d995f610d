import { validate as isUuid } from 'uuid';
import { type Db, db } from '#server/core/database/prisma.ts';
import { publish } from '#server/core/live/publish.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import {
  openAccount,
  type SealedAccount,
  sealedAccountSelect,
} from '#server/inbox/channels/accounts/open-account.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';

/**
 * Finds a connected account and decrypts its credentials.
 * @param id untrusted; any text
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

/**
 * Returns whether an account was connected here and is not any more.
 * @param id untrusted; any text
 */
export async function wasConnected(id: string, channel: Channel): Promise<boolean> {
  const where = { id, channel, deletedAt: { not: null } };
  return isUuid(id) && (await db().channelAccount.count({ where })) > 0;
}

/** Finds connected accounts by the provider's ids, in all workspaces. */
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

/** Records the first valid call of an account's webhook address. */
export async function noteWebhookCalled(account: ConnectedAccount): Promise<void> {
  const { id, workspaceId, webhookCalledAt } = account;
  if (webhookCalledAt !== null) return;
  const { count } = await db().channelAccount.updateMany({
    where: { id, webhookCalledAt: null },
    data: { webhookCalledAt: new Date() },
  });
  if (count > 0) publish(workspaceId, 'channels');
}

/** Records when the account last received something, for "last message 4 minutes ago". */
export async function noteReceived(id: string): Promise<void> {
  await db().channelAccount.updateMany({ where: { id }, data: { lastReceivedAt: new Date() } });
}

/** The account that sends replies, with encrypted credentials. `reconnect_needed`: the provider rejects its token. */
type ReplyAccount = SealedAccount & { status: 'connected' | 'reconnect_needed' };

/**
 * Finds the account that sends the replies of a conversation: the account that received it. A conversation from before
 * its channel was connected uses the workspace's only account of the channel.
 * @returns null when the account is not connected
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
