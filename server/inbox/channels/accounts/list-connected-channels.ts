import type { Channel } from '#server/generated/prisma/enums.ts';
import type { Db } from '#server/ground/db.ts';
import { CHANNEL_LIST } from '#server/inbox/channels/views.ts';

/** The channels on which contacts can write to a workspace: those that need no account, and those with one connected. */
export async function listConnectedChannels(db: Db, workspaceId: string): Promise<Channel[]> {
  const accounts = await db.channelAccount.findMany({
    where: { workspaceId, deletedAt: null },
    select: { channel: true },
    distinct: ['channel'],
  });
  const connected = new Set(accounts.map(({ channel }) => channel));
  return CHANNEL_LIST.filter((channel) => NEEDS_NO_ACCOUNT.has(channel) || connected.has(channel));
}

/** E-mail comes to mailboxes, and the web chat is ours. */
const NEEDS_NO_ACCOUNT = new Set<Channel>(['email', 'webchat']);
