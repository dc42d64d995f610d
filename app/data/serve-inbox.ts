import type { ServedInbox } from '#app/components/inbox/inbox-queries.ts';
import { countViews, listNotifications } from '#app/data/cached-reads.ts';
import { getScreens, requireWorkspaceOf } from '#app/data/session.ts';
import { conversationsInput, firstPageInput, type InboxView } from '#app/lib/inbox-path.ts';

/**
 * Asks for all that the inbox and its frame show, at once, so that it is read together. The list and the conversation are
 * waited for, so that the page contains them and needs no script to show them. The rest is sent to the page when it is ready.
 */
export async function serveInbox(view: InboxView): Promise<ServedInbox> {
  const { inbox, conversations } = await getScreens();
  const { selected } = view;
  const counts = inbox.counts(conversationsInput({ ...view, status: 'all' }));
  const choices = inbox.filterChoices();
  const ofPage = selected === undefined ? [] : [requireWorkspaceOf({ kind: 'conversation', id: selected })];
  // Each is awaited where it is shown, and a fault shows there.
  for (const asked of [counts, choices, countViews(), listNotifications(), ...ofPage]) asked.catch(() => {});
  const [page, opened] = await Promise.all([
    inbox.list(firstPageInput(view)),
    selected === undefined ? null : conversations.get({ id: selected }),
  ]);
  return { list: { of: { ...view, selected: undefined }, page }, counts, choices, opened };
}
