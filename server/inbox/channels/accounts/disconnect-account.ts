import type { Teammate } from '#server/contract/record-schemas.ts';
import { notFound } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { openAccount, sealedAccountSelect } from '#server/inbox/channels/accounts/open-account.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asManager } from '#server/teammates/require-role.ts';

/**
 * Disconnects an account: deletes its credentials and stops its webhook; replies then fail. Its conversations stay, and
 * continue when the account is connected again.
 * @throws Refusal unless `by` is owner or admin, or when the account does not exist
 */
export async function disconnectAccount(which: {
  workspaceId: string;
  accountId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, accountId: id, by } = which;
  const account = await asManager(which, async (tx) => {
    const row = await tx.channelAccount.findFirst({
      where: { id, workspaceId, deletedAt: null },
      select: sealedAccountSelect,
    });
    if (!row) throw notFound('The account');
    await tx.channelAccount.updateMany({
      where: { id, deletedAt: null },
      data: { deletedAt: new Date(), credentials: null },
    });
    const data = { channel: row.channel, name: row.name };
    await addAuditEntry(tx, { workspaceId, kind: 'channel_disconnected', by, data });
    return row;
  });
  log().info({ accountId: id, channel: account.channel, workspaceId, userId: by.id }, 'channel.disconnected');
  publish(workspaceId, 'channels');
  try {
    await unsubscribe(openAccount(account));
  } catch (error) {
    log().warn({ err: error, accountId: id }, 'channel.not_unsubscribed');
  }
}

async function unsubscribe(account: ConnectedAccount): Promise<void> {
  await CHANNELS[account.channel].accounts?.unsubscribe?.(account);
}
