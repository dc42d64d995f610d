import { db } from '#server/core/database/db.ts';
import { markReconnectNeeded } from '#server/inbox/channels/accounts/mark-reconnect-needed.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import type { ReceivedUpdate } from '#server/inbox/channels/received-update.ts';
import { editMessage } from '#server/inbox/messages/edit-message.ts';
import { recordStatus } from '#server/inbox/messages/record-status.ts';
import { takeEcho } from '#server/inbox/provider-updates/receive-echo.ts';
import { takeMessage } from '#server/inbox/provider-updates/receive-provider-message.ts';

/** Takes in what an update of a provider held. Handed over again, it changes nothing. */
export async function takeReceived(account: ConnectedAccount, received: ReceivedUpdate): Promise<void> {
  const { workspaceId } = account;
  switch (received.kind) {
    case 'message':
      await takeMessage(account, received);
      return noteReceived(account.id);
    case 'edit':
      return editMessage({ workspaceId, ...received });
    case 'status':
      return recordStatus({ workspaceId, channelAccountId: account.id, ...received });
    case 'echo':
      return takeEcho(account, received);
    case 'disconnected':
      return markReconnectNeeded(account.id, received.reason);
  }
}

/** For "last message 4 minutes ago". */
async function noteReceived(id: string): Promise<void> {
  await db().channelAccount.updateMany({ where: { id }, data: { lastReceivedAt: new Date() } });
}
