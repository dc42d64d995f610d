import { cache } from 'react';
import { openScreens } from '#app/data/open-screens.ts';
import { filtersOf, type InboxView } from '#app/lib/inbox-path.ts';

/** A page of a view's conversations, newest first, from where the page before ended. */
export async function listConversations(view: InboxView, page: { cursor?: string; rows?: number } = {}) {
  const screens = await openScreens();
  const status = view.status === 'all' ? {} : { status: view.status };
  return screens.conversations.list({ ...asked(view), ...status, ...page });
}

/** How many conversations of a view's filters are in each status. */
export async function countConversations(view: InboxView) {
  const screens = await openScreens();
  return screens.conversations.counts(asked(view));
}

/** How many open conversations the views of the sidebar hold; asked once a request. */
export const countViews = cache(async () => {
  const screens = await openScreens();
  return screens.conversations.viewCounts();
});

/** What the inbox can be narrowed to. */
export async function filterChoices() {
  const screens = await openScreens();
  return screens.conversations.filterChoices();
}

function asked(view: InboxView) {
  const { team, ...same } = filtersOf(view);
  return { ...same, ...(team ? { teamId: team } : {}) };
}
