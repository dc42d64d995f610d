import type { Db } from '#server/core/database/db.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { type SealedAccount, sealedAccountSelect } from '#server/inbox/channels/accounts/open-account.ts';

/** An account that replies leave by, still sealed, and whether its provider takes its token. */
export type ReplyAccount = SealedAccount & { status: 'connected' | 'reconnect_needed' };

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
