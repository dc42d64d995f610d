'use server';

import { action } from '#app/data/action.ts';

export const markSpam = action('/inbox/spam', async ({ removed }, id: string) => {
  await removed.markSpam({ id, block: null });
});

/** Returns a conversation from Spam to the inbox. */
export const markNotSpam = action('/inbox/spam', async ({ removed }, id: string) => {
  await removed.markNotSpam({ id });
});

/** Blocks the sender of a spam conversation, and returns the new entries of the block list. */
export const blockSender = action(
  '/inbox/spam',
  async ({ removed }, id: string, block: 'address' | 'domain' | 'chat') => {
    return { blocked: await removed.markSpam({ id, block }) };
  },
);

/** Removes entries that `blockSender` added. */
export const unblockSender = action(null, async ({ removed }, blocked: string[]) => {
  await removed.unblock({ blocked });
});

export const deleteConversation = action('/inbox/deleted', async ({ removed }, id: string) => {
  await removed.delete({ id });
});

export const undeleteConversation = action('/inbox/deleted', async ({ removed }, id: string) => {
  await removed.undelete({ id });
});
