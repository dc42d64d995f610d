'use server';

import { action } from '#app/data/action.ts';

/** Marks a conversation as spam. Also blocks its sender if `block` names a kind, and returns the new entries. */
export const markSpam = action(
  '/inbox/spam',
  async ({ removed }, id: string, block: 'address' | 'domain' | 'chat' | null) => {
    return { blocked: await removed.markSpam({ id, block }) };
  },
);

/** Returns a conversation to the inbox. Also removes entries that marking it as spam added to the block list. */
export const markNotSpam = action('/inbox/spam', async ({ removed }, id: string, blocked: string[] = []) => {
  await removed.markNotSpam({ id, blocked });
});

export const deleteConversation = action('/inbox/deleted', async ({ removed }, id: string) => {
  await removed.delete({ id });
});

export const undeleteConversation = action('/inbox/deleted', async ({ removed }, id: string) => {
  await removed.undelete({ id });
});
