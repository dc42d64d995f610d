import type { MenuEntry } from '#app/components/command-menu/menu-entry.ts';
import { statusNames } from '#app/components/conversations/conversation-status-dot.tsx';
import { getSelection, SELECTED_MAX, selectListed } from '#app/components/inbox/selection.ts';
import { sortNames } from '#app/components/inbox/sort-select.tsx';
import { type InboxView, inboxPath, inboxSorts, inboxStatuses } from '#app/lib/inbox-path.ts';

/** Returns the entries that show the list in another order or status. */
export function orderEntries(view: InboxView): MenuEntry[] {
  const show = (id: string, label: string, change: Partial<InboxView>): MenuEntry => ({
    id,
    group: 'Inbox',
    label,
    words: 'order list conversations',
    act: { kind: 'go', href: inboxPath({ ...view, ...change }) },
  });
  const orders = [undefined, ...inboxSorts].filter((sort) => sort !== view.sort);
  const statuses = inboxStatuses.filter((status) => status !== view.status);
  return [
    ...orders.map((sort) =>
      show(`sort:${sort ?? 'newest'}`, `Sort by: ${sort ? sortNames[sort] : 'Newest'}`, { sort }),
    ),
    ...statuses.map((status) =>
      show(`status:${status}`, `Show status: ${status === 'all' ? 'All' : statusNames[status]}`, { status }),
    ),
  ];
}

/** Returns the entry that selects all conversations that the list has loaded, by their ids, unless they are selected. */
export function selectListedEntries(ids: readonly string[]): MenuEntry[] {
  if (getSelection().ids.size >= Math.min(ids.length, SELECTED_MAX)) return [];
  return [
    {
      id: 'select-listed',
      group: 'Inbox',
      label: 'Select all listed conversations',
      act: { kind: 'call', call: () => selectListed(ids) },
    },
  ];
}
