import type { Db } from '#server/core/database/db.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { CHANNEL_LIST } from '#server/inbox/channels/channel-names.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';

/** The channels on which contacts can write to a workspace: those that need no account, and those with one connected. */
export async function listConnectedChannels(db: Db, workspaceId: string): Promise<Channel[]> {
  const accounts = await db.channelAccount.findMany({
    where: { workspaceId, deletedAt: null },
    select: { channel: true },
    distinct: ['channel'],
  });
  const connected = new Set(accounts.map(({ channel }) => channel));
  return CHANNEL_LIST.filter((channel) => !CHANNELS[channel].accounts || connected.has(channel));
}
