import { inTransaction } from '#server/core/database/prisma.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { notifyManagers } from '#server/teammates/add-notifications.ts';

/**
 * Sets an account whose token the provider rejects to "Needs to be connected again". Notifies owners and admins once,
 * until the account is connected again. Does nothing if it was connected again since it was opened.
 * @param why a sentence
 */
export async function markReconnectNeeded(
  { id: accountId, sealed }: Pick<ConnectedAccount, 'id' | 'sealed'>,
  why: string,
): Promise<void> {
  const now = new Date();
  await inTransaction(async (tx) => {
    const [account] = await tx.channelAccount.updateManyAndReturn({
      where: { id: accountId, status: 'connected', deletedAt: null, credentials: sealed },
      data: { status: 'reconnect_needed', lastError: why, lastErrorAt: now },
      select: { workspaceId: true, channel: true, name: true },
    });
    if (!account) return;
    const { workspaceId, channel, name: accountName } = account;
    const data = { accountId, channel, accountName, why };
    await notifyManagers(tx, { workspaceId, content: { kind: 'channel_reconnect', data }, now });
  });
}
