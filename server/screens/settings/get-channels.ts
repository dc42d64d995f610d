import type { Db } from '#server/core/database/db.ts';
import { openAccount, sealedAccountSelect } from '#server/inbox/channels/accounts/open-account.ts';
import { webhookAddress } from '#server/inbox/channels/accounts/webhook-address.ts';
import { CHANNEL_LIST, CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import type { AccountView, ChannelView } from '#server/screens/settings/channel-views.ts';

/** The channels whose accounts can be connected to a workspace, and those that are, with how each is doing. */
export async function getChannels(db: Db, workspaceId: string): Promise<ChannelView[]> {
  const [accounts, failed] = await Promise.all([
    db.channelAccount.findMany({
      where: { workspaceId, deletedAt: null },
      select: { ...sealedAccountSelect, status: true, lastError: true, lastReceivedAt: true },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    }),
    db.inboundUpdate.groupBy({
      by: ['accountId'],
      where: { workspaceId, processedAt: { not: null }, error: { not: null } },
      _count: true,
    }),
  ]);
  return CHANNEL_LIST.flatMap((channel) => {
    const adapter = CHANNELS[channel].accounts;
    if (!adapter) return [];
    const { fields, steps, showsVerifyToken } = adapter;
    const own = accounts.filter((account) => account.channel === channel);
    return {
      channel,
      name: CHANNEL_NAMES[channel].name,
      fields,
      steps,
      accounts: own.map(({ status, lastError, lastReceivedAt, ...sealed }): AccountView => {
        const opened = tryToOpen(sealed);
        return {
          id: sealed.id,
          name: sealed.name,
          state: status === 'reconnect_needed' ? status : lastError || !opened ? 'faulty' : 'connected',
          problem: opened ? lastError : UNREADABLE,
          lastReceivedAt,
          address: webhookAddress(sealed),
          verifyToken: (showsVerifyToken ? opened?.credentials.verifyToken : undefined) ?? null,
          failedUpdates: failed.find(({ accountId }) => accountId === sealed.id)?._count ?? 0,
        };
      }),
    };
  });
}

const UNREADABLE =
  'Its token cannot be read with the current SECRETS_KEY of this service. Connect it again, or ask the operator.';

/** A key that is missing keeps no one from seeing the screen and connecting again. */
function tryToOpen(sealed: Parameters<typeof openAccount>[0]) {
  try {
    return openAccount(sealed);
  } catch {
    return undefined;
  }
}
