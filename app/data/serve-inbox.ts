import { countViews, listNotifications } from '#app/data/cached-reads.ts';
import { getScreens, requireWorkspaceOf } from '#app/data/session.ts';
import { conversationsInput, type InboxView, listInput } from '#app/lib/inbox-path.ts';
import { FIRST_REQUEST, type ServedInbox } from '#app/lib/served-inbox.ts';

/**
 * Queries all data of the inbox and the shell in one batch. Waits for list and conversation, so that the page shows
 * them without scripts. Streams the rest when ready.
 */
export async function serveInbox(view: InboxView): Promise<ServedInbox> {
  const { inbox, conversations } = await getScreens();
  const { selected } = view;
  const counts = inbox.counts(conversationsInput({ ...view, status: 'all' }));
  const choices = inbox.filterChoices();
  const ofPage = selected === undefined ? [] : [requireWorkspaceOf({ kind: 'conversation', id: selected })];
  // Each promise is awaited where it is rendered, which also reports its error. Prevent unhandled rejections here.
  for (const promise of [counts, choices, countViews(), listNotifications(), ...ofPage])
    promise.catch(() => {});
  const [page, opened] = await Promise.all([
    inbox.list({ ...listInput(view), rows: FIRST_REQUEST.rows }),
    selected === undefined ? null : conversations.get({ id: selected }),
  ]);
  const of = { ...view, selected: undefined };
  const list = { pages: [{ of, ...page }], pageParams: [FIRST_REQUEST] };
  return { of, list, counts, choices, opened };
}
