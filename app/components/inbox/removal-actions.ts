'use server';

import { action } from '#app/data/action.ts';

/** Marks a conversation as spam. Also blocks its sender if `block` names a kind. */
export const markSpam = action(
  '/inbox/spam',
  async ({ removed }, id: string, block: 'address' | 'domain' | 'chat' | null) => {
    await removed.markSpam({ id, block });
  },
);

export const markNotSpam = action('/inbox/spam', async ({ removed }, id: string) => {
  await removed.markNotSpam({ id });
});

export const deleteConversation = action('/inbox/deleted', async ({ removed }, id: string) => {
  await removed.delete({ id });
});

export const undeleteConversation = action('/inbox/deleted', async ({ removed }, id: string) => {
  await removed.undelete({ id });
});
