import { change } from '#app/components/live/page-data.ts';

export const markSpam = change(({ removed }, id: string) => removed.markSpam.mutate({ id, block: null }));

/** Returns a conversation from Spam to the inbox. */
export const markNotSpam = change(({ removed }, id: string) => removed.markNotSpam.mutate({ id }));

/** Blocks the sender of a spam conversation, and returns the new entries of the block list. */
export const blockSender = change(({ removed }, id: string, block: 'address' | 'domain' | 'chat') =>
  removed.markSpam.mutate({ id, block }),
);

/** Removes entries that `blockSender` added. */
export const unblockSender = change(({ removed }, blocked: string[]) => removed.unblock.mutate({ blocked }));

export const deleteConversation = change(({ removed }, id: string) => removed.delete.mutate({ id }));

export const undeleteConversation = change(({ removed }, id: string) => removed.undelete.mutate({ id }));
