import { cache } from 'react';
import { openScreens } from '#app/data/open-screens.ts';
import type { InboxStatus } from '#app/lib/inbox-path.ts';

/** The newest conversations in one status, with the counts of all; asked once a request for each status. */
export const listConversations = cache(async (status: InboxStatus) => {
  const screens = await openScreens();
  return screens.conversations.list(status === 'all' ? {} : { status });
});
