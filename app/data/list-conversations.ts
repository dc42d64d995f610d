import { cache } from 'react';
import { openScreens } from '#app/data/open-screens.ts';
import { conversationsInput, type InboxView } from '#app/lib/paths/inbox-path.ts';

/** The first page of a view's conversations, newest first. */
export async function listConversations(view: InboxView) {
  const screens = await openScreens();
  return screens.inbox.list(conversationsInput(view));
}

/** How many conversations of a view's filters are in each status. */
export async function countConversations(view: InboxView) {
  const screens = await openScreens();
  return screens.inbox.counts(conversationsInput({ ...view, status: 'all' }));
}

/** How many open conversations the views of the sidebar hold; asked once a request. */
export const countViews = cache(async () => {
  const screens = await openScreens();
  return screens.inbox.viewCounts();
});

/** What the inbox can be narrowed to. */
export async function filterChoices() {
  const screens = await openScreens();
  return screens.inbox.filterChoices();
}
